import { pbkdf2 } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { CostlyTurns } from '@/server/platform/net/costly-turns';

const by = { signal: new AbortController().signal, waitForUs: <T>(wait: () => Promise<T>) => wait() };

/** Takes this much CPU time. */
function compute(ms: number): void {
  const from = process.cpuUsage();
  const end = performance.now() + ms;
  while (performance.now() < end || process.cpuUsage(from).user < ms * 1_000) Math.sqrt(performance.now());
}

/** Starts handshakes of one team at once. Returns how many of their steps ran before the rest had to wait. */
async function countSteps(teamId: string, handshakes: number, steps: number[]): Promise<number> {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  let ran = 0;
  const all = Array.from({ length: handshakes }, async () => {
    const turns = new CostlyTurns({ teamId, by: { ...by, signal: stop.signal } });
    for (const ms of steps) {
      await turns.take(() => {
        compute(ms);
        ran += 1;
      });
    }
  });
  for (let each = 0; each < 10 * steps.length * handshakes; each += 1) await turn();
  stop.abort();
  await Promise.allSettled(all);
  return ran;
}

it('makes a team with costly handshakes wait, and no other', async () => {
  // The burst of 200 ms.
  expect(await countSteps('costly', 20, [120])).toBeLessThanOrEqual(3);
  expect(await countSteps('other', 1, [1])).toBe(1);
});

it('charges a step that stalls the thread by the square of its length', async () => {
  const run = async (ms: number) => {
    const turns = new CostlyTurns({ teamId: 'stalling', by });
    turns.run(() => compute(ms));
    // In the next turn of the event loop only a debt makes it wait.
    await turn();
    await turn();
    return turns.mustWait;
  };
  // The first is not measured, and makes the team suspect. By its length alone, the second is within the burst of 200 ms.
  expect([await run(10), await run(100)]).toEqual([false, true]);
});

it.each([
  ['handshakes of 15 ms each', 100, [15]],
  ['handshakes of 20 ms in ten steps', 100, Array<number>(10).fill(2)],
])('makes a team wait whose %s take more than usual', async (_name, handshakes, steps) => {
  const ran = (await countSteps(`${steps.length} steps`, handshakes, steps)) / steps.length;
  expect(ran).toBeGreaterThan(5);
  // Beyond the usual 6 ms each, 200 ms are a burst of 14 to 22 handshakes.
  expect(ran).toBeLessThan(handshakes / 2);
});

it('runs a few costly steps of a team in one turn of the event loop', async () => {
  let ran = 0;
  const start = () => {
    const turns = new CostlyTurns({ teamId: 'at once', by });
    const step = () => {
      compute(30);
      ran += 1;
    };
    return turns.mustWait ? turns.take(step) : turns.run(step);
  };
  // As if the data of six connections had arrived at once.
  const all = Array.from({ length: 6 }, start);
  let most = ran;
  for (let before = ran; before < 6; before = ran) {
    await turn();
    most = Math.max(most, ran - before);
  }
  await Promise.all(all);
  expect(most).toBeLessThanOrEqual(3);
});

it('counts what steps resolve, and usual ones, in a turn of the event loop', async () => {
  let ran = 0;
  const all = Array.from({ length: 50 }, () => {
    const turns = new CostlyTurns({ teamId: 'resolving', by });
    let receive = () => {};
    const read = new Promise<void>((resolve) => {
      receive = resolve;
    }).then(() => {
      compute(5);
      ran += 1;
    });
    // Like the data of a connection, each in a callback of its own.
    setImmediate(() => (turns.mustWait ? turns.take(receive) : turns.run(receive)));
    return read;
  });
  let most = 0;
  for (let before = 0; before < 50; before = ran) {
    await turn();
    most = Math.max(most, ran - before);
  }
  await Promise.all(all);
  // Of 20 ms; all of them take 250 ms.
  expect(most).toBeLessThanOrEqual(8);
});

it('runs the work of a team in other threads in a few slots, and charges it', async () => {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const derive = promisify(pbkdf2);
  let [ran, atOnce, most] = [0, 0, 0];
  const work = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    // About 30 ms.
    await derive('password', 'salt', 100_000, 32, 'sha256');
    atOnce -= 1;
    ran += 1;
  };
  const all = Array.from({ length: 100 }, () =>
    new CostlyTurns({ teamId: 'elsewhere', by: { ...by, signal: stop.signal } }).takeElsewhere(work),
  );
  await sleep(3_000);
  stop.abort();
  await Promise.allSettled(all);
  expect(most).toBeLessThanOrEqual(4);
  expect(ran).toBeGreaterThan(1);
  // A burst of 200 ms, and 50 ms a second, of 3 s of CPU time.
  expect(ran).toBeLessThan(60);
});

it('does not count the time in which this thread was busy as that of work in another one', async () => {
  const turns = new CostlyTurns({ teamId: 'late', by });
  await turns.takeElsewhere(async () => {
    // Ends at once, and is noticed late.
    const work = sleep(1);
    compute(100);
    await work;
  });
  expect(turns.elsewhereMs).toBeLessThan(50);
});

it('charges work whose time is known', async () => {
  const work = async () => {};
  for (let each = 0; each < 10; each += 1) await new CostlyTurns({ teamId: 'known', by }).takeElsewhere(work, 30);
  expect(new CostlyTurns({ teamId: 'known', by }).mustWait).toBe(true);
  for (let each = 0; each < 10; each += 1) await new CostlyTurns({ teamId: 'free', by }).takeElsewhere(work, 0);
  expect(new CostlyTurns({ teamId: 'free', by }).mustWait).toBe(false);
});

it('gives the slots back when work fails, and lets another team have one', async () => {
  const turns = (teamId: string) => new CostlyTurns({ teamId, by });
  for (let each = 0; each < 3; each += 1) {
    await expect(turns('failing').takeElsewhere(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  }
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const running = Array.from({ length: 9 }, () => turns('one').takeElsewhere(() => held));
  expect(await turns('two').takeElsewhere(async () => 'done')).toBe('done');
  end();
  await Promise.all(running);
});

it('never delays a team whose handshakes are cheap', async () => {
  let waits = 0;
  const waitForUs = () => {
    waits += 1;
    return Promise.reject(new Error('waited'));
  };
  for (let each = 0; each < 200; each += 1) {
    await new CostlyTurns({ teamId: 'cheap', by: { ...by, waitForUs } }).take(() => compute(1));
    await turn();
  }
  expect(waits).toBe(0);
});

/** Takes this much time, and nearly no CPU time, as when another process has the core. */
const stall = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it('measures a team by its CPU time for a short while after the machine stalled', async () => {
  const read = vi.spyOn(process, 'cpuUsage');
  const step = () => new CostlyTurns({ teamId: 'stalled', by }).run(() => stall(1));
  new CostlyTurns({ teamId: 'stalled', by }).run(() => stall(16));
  step();
  expect(read).toHaveBeenCalled();
  // 10 ms beyond the usual time are paid off in 200 ms.
  await sleep(2_000);
  read.mockClear();
  step();
  expect(read).not.toHaveBeenCalled();
});
