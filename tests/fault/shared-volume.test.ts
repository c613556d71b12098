import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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
const serversOn = (dataDir: string) => processesOf(`-D ${join(dataDir, 'postgres')} `);

async function container(DATA_DIR: string): Promise<Launched> {
  const launched = launchBy(CONTAINER, { DATA_DIR, PORT: String(await freePort()) });
  onTestFinished(async () => {
    const init = initOf(launched);
    if (init > 0) process.kill(init, 'SIGKILL');
    await launched.exited;
  });
  return launched;
}

/** One container that is ready, and another that waits for its volume. */
async function twoContainers(): Promise<{ first: Launched; second: Launched; dataDir: string }> {
  const dataDir = await preparedDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await container(dataDir);
  await untilReady(first);
  const second = await container(dataDir);
  const isOver = () => /Waiting for another Upwatch to release|is ready at/.test(second.logs());
  await until(isOver, PATIENCE_MS, 'The second container');
  expect(serversOn(dataDir)).toHaveLength(1);
  expect(second.logs()).toContain(`Waiting for another Upwatch to release ${dataDir}`);
  return { first, second, dataDir };
}

// Skipped where namespaces are not allowed, as for users other than root.
describe.skipIf(!isContained)('a second container on the volume of another', () => {
  it('waits until the first has stopped, and starts then', async () => {
    const { first, second, dataDir } = await twoContainers();
    process.kill(initOf(first), 'SIGTERM');
    expect(await first.exited).toBe(0);
    await untilReady(second);
    expect(serversOn(dataDir)).toHaveLength(1);
  });

  it('starts after the first was killed', async () => {
    const { first, second, dataDir } = await twoContainers();
    process.kill(initOf(first), 'SIGKILL');
    await first.exited;
    await untilReady(second);
    expect(serversOn(dataDir)).toHaveLength(1);
  });

  it('is refused while the first continues', async () => {
    const { first, second, dataDir } = await twoContainers();
    expect(await second.exited).toBe(1);
    expect(second.logs()).toContain(`Upwatch already runs on ${dataDir}`);
    expect(isAlive(initOf(first))).toBe(true);
    expect(serversOn(dataDir)).toHaveLength(1);
  });
});
