import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 100;

/**
 * Resolves after `ms` in which this process could read its sockets. A late timer counts for no more than a tick, and the sockets are read between two
 * ticks: a process that is short of CPU time waits longer, and does not take its own delay for the silence of a server.
 */
export async function sleepAwake(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= TICK_MS) await sleep(Math.min(left, TICK_MS), undefined, { ref: false });
}
