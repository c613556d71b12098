import { setTimeout as sleep } from 'node:timers/promises';
import type { Patience } from './deadline';

/** A usual handshake takes 2 to 10 ms of CPU time. */
const FREE_MS = 20;
/** The part of the thread's time that a team's costly handshakes may take, and how much of it at once. */
const SHARE = 0.05;
const BURST_MS = 200;

/** By team: when the time of its costly handshakes is paid off, by a monotonic clock (the generic cell rate algorithm with costs). */
const paidAt = new Map<string, number>();

/** CPU time or wall-clock time, whichever is less: the one includes other threads, the other includes other processes. */
function stopwatch(): () => number {
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return Math.min(performance.now() - from, (user + system) / 1000);
  };
}

function charge(teamId: string, ms: number): void {
  const now = performance.now();
  for (const [team, at] of paidAt) if (at <= now) paidAt.delete(team);
  if (ms > FREE_MS) paidAt.set(teamId, Math.max(now, paidAt.get(teamId) ?? 0) + (ms - FREE_MS) / SHARE);
}

const waitOf = (teamId: string) => (paidAt.get(teamId) ?? 0) - performance.now() - BURST_MS / SHARE;

/**
 * Runs a step of a TLS handshake, at once if the team may, else when it may again; the clock of the exchange is paused meanwhile. The server decides what
 * a step costs: a chain of 32 KiB with large exponents takes 200 ms of the thread, and OpenSSL cannot be interrupted. A team whose handshakes are that
 * costly waits, so that they take a twentieth of the thread.
 */
export async function takeHandshakeTurn(teamId: string, by: Patience, step: () => void): Promise<void> {
  for (let wait = waitOf(teamId); wait > 0; wait = waitOf(teamId)) {
    await by.waitForUs(() => sleep(wait, undefined, { signal: by.signal }));
  }
  const took = stopwatch();
  step();
  charge(teamId, took());
}
