import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '@/scripts/lib/ports.mjs';
import { childrenOf, isAlive, processesOf } from '@/tests/support/processes';
import { type Launched, launchBy, preparedDataDir, untilReady } from '@/tests/support/product';
import { until } from '@/tests/support/receivers';

// Two containers with one volume: each start has its own network, processes, mounts and shared memory; both use one data directory.

const PATIENCE_MS = 90_000;
/** Its own namespaces, with a loopback interface that is up. */
const CONTAINER = ['unshare', '-fpnim', '--mount-proc', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const isContained = spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true']).status === 0;

/** The first process of a container, by the ID that it has outside. */
const initOf = ({ pid }: Launched) => childrenOf(pid)[0]?.pid ?? 0;

/** The PostgreSQL servers on a data directory, in all containers. */
const serversOn = (folder: string) => processesOf(`-D ${join(folder, 'postgres')} `);

const launchedOnes: Launched[] = [];
let dataDir: string;
/** The container that uses the volume. */
let first: Launched | null = null;

async function launchContainer(): Promise<Launched> {
  const launched = launchBy(CONTAINER, { DATA_DIR: dataDir, PORT: String(await freePort()) });
  launchedOnes.push(launched);
  return launched;
}

/** A container that is ready, of the test before if it still runs, and another that waits for its volume. */
async function twoContainers(): Promise<{ running: Launched; second: Launched }> {
  if (first === null || !isAlive(initOf(first))) {
    first = await launchContainer();
    await untilReady(first);
  }
  const second = await launchContainer();
  const isOver = () => /Waiting for another Upwatch to release|is ready at/.test(second.logs());
  await until(isOver, PATIENCE_MS, 'The second container');
  expect(serversOn(dataDir)).toHaveLength(1);
  expect(second.logs()).toContain(`Waiting for another Upwatch to release ${dataDir}`);
  return { running: first, second };
}

// Skipped where namespaces are not allowed, as for users other than root.
describe.skipIf(!isContained)('a second container on the volume of another', () => {
  beforeAll(async () => {
    dataDir = await preparedDataDir();
    return async () => {
      for (const launched of launchedOnes) {
        const init = initOf(launched);
        if (init > 0) process.kill(init, 'SIGKILL');
        await launched.exited;
      }
      await rm(dataDir, { recursive: true, force: true });
    };
  });

  it('is refused while the first continues', async () => {
    const { running, second } = await twoContainers();
    expect(await second.exited).toBe(1);
    expect(second.logs()).toContain(`Upwatch already runs on ${dataDir}`);
    expect(isAlive(initOf(running))).toBe(true);
    expect(serversOn(dataDir)).toHaveLength(1);
  });

  it('waits until the first has stopped, and starts then', async () => {
    const { running, second } = await twoContainers();
    process.kill(initOf(running), 'SIGTERM');
    expect(await running.exited).toBe(0);
    await untilReady(second);
    expect(serversOn(dataDir)).toHaveLength(1);
    first = second;
  });

  it('starts after the first was killed', async () => {
    const { running, second } = await twoContainers();
    process.kill(initOf(running), 'SIGKILL');
    await running.exited;
    await untilReady(second);
    expect(serversOn(dataDir)).toHaveLength(1);
    first = second;
  });
});
