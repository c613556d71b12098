import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '@/scripts/lib/ports.mjs';
import { inNightly } from '@/tests/support/nightly';
import { isAlive, processesOf, startedWith } from '@/tests/support/processes';
import { type Launched, launch, newDataDir, preparedDataDir, startProduct, untilReady } from '@/tests/support/product';
import { until } from '@/tests/support/receivers';

/** The first start may have to build first. */
const PATIENCE_MS = 100_000;

async function dataDir(create = newDataDir): Promise<string> {
  const folder = await create();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A start that is stopped when the test ends, passed or failed. */
function start(env: Record<string, string>): Launched {
  const launched = launch(env);
  onTestFinished(async () => {
    if (isAlive(launched.pid)) process.kill(launched.pid, 'SIGTERM');
    await launched.exited;
  });
  return launched;
}

type Interrupt = readonly [step: string, signal: NodeJS.Signals, end: number | NodeJS.Signals];

const interrupts: Interrupt[] = [
  ['Starting the database', 'SIGINT', 0],
  ['Migrating the database', 'SIGKILL', 'SIGKILL'],
];
const more: Interrupt[] = [
  ['Starting the database', 'SIGKILL', 'SIGKILL'],
  ['Migrating the database', 'SIGTERM', 0],
];

test.each(inNightly([...interrupts, ...more], interrupts))(
  'ends all processes of "%s" interrupted by %s, and the next start succeeds',
  async (step, signal, end) => {
    const DATA_DIR = await dataDir();
    const first = start({ DATA_DIR, PORT: String(await freePort()) });
    await until(() => first.logs().includes(`${step} … `) && processesOf(DATA_DIR).length > 0, PATIENCE_MS, step);
    process.kill(first.pid, signal);
    expect(await first.exited).toBe(end);
    // A start that was asked to stop has stopped its children first.
    if (signal !== 'SIGKILL') expect(processesOf(DATA_DIR)).toEqual([]);
    await until(() => processesOf(DATA_DIR).length === 0, PATIENCE_MS, 'The end of all processes');
    const second = await startProduct({ env: { DATA_DIR } });
    expect(await second.stop()).toBe(0);
  },
);

describe('a start that is stopped', () => {
  /** The moments of a start: a line that it has written, and how long after that. */
  const moments: [string, number][] = [
    ['Preparing the database client', 0],
    ['Starting the database', 0],
    ['Migrating the database', 0],
    ['The worker runs', 0],
    ['Upwatch is ready', 0],
  ];
  const later: [string, number][] = [
    ['Starting the database', 300],
    ['Starting the database', 1_200],
    ['Migrating the database', 700],
    ['Migrating the database', 1_600],
  ];

  test.each(
    [...moments, ...inNightly(later, [])].map(([line, ms], index) => {
      const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
      return [signals[index % signals.length] ?? 'SIGTERM', line, ms] as const;
    }),
  )('leaves no process of a start stopped by %s after "%s" and %i ms', async (signal, line, ms) => {
    const DATA_DIR = await dataDir(/^(Starting|Migrating)/.test(line) ? newDataDir : preparedDataDir);
    const first = start({ DATA_DIR, PORT: String(await freePort()) });
    await until(() => first.logs().includes(line), PATIENCE_MS, line);
    await sleep(ms);
    process.kill(first.pid, signal);
    expect(await first.exited).toBe(0);
    // Shells that wait for the end of the start script see it at once, and a killed process is gone a moment later.
    await until(() => startedWith(DATA_DIR).length === 0, 1_000, 'The end of all processes');
  });

  test('leaves no process of a start whose terminal is closed', async () => {
    const DATA_DIR = await dataDir(preparedDataDir);
    const first = start({ DATA_DIR, PORT: String(await freePort()) });
    await untilReady(first);
    first.closeOutput();
    process.kill(first.pid, 'SIGHUP');
    expect(await first.exited).toBe(0);
    await until(() => startedWith(DATA_DIR).length === 0, 1_000, 'The end of all processes');
  });
});

test('rejects the second of two starts on one port before the first listens', async () => {
  const PORT = String(await freePort());
  const first = start({ DATA_DIR: await dataDir(preparedDataDir), PORT });
  await until(() => first.logs().includes('Preparing the database client'), PATIENCE_MS, 'The first step');
  const second = start({ DATA_DIR: await dataDir(), PORT });
  expect(await second.exited).toBe(1);
  expect(second.logs()).toContain(`Port ${PORT} of 127.0.0.1 is in use`);
  await untilReady(first);
});
