import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 100;

/**
 * Resolves after `ms` during which this process could read its sockets. A late timer counts as one tick only, and sockets are read between ticks.
 * So a process that is short of CPU time waits longer, instead of mistaking its own delay for a silent server.
 */
export async function sleepAwake(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= TICK_MS) await sleep(Math.min(left, TICK_MS), undefined, { ref: false });
}
