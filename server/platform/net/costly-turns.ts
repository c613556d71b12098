import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Patience } from './deadline';

/** The team that pays for steps, and the exchange whose clock is paused while they wait. */
export interface Payer {
  teamId: string;
  by: Patience;
}

/**
 * What a target may take of this thread without a charge: a handshake with common keys takes 1 to 6 ms of CPU time (RSA and P-256 up to 2 ms, a chain
 * of P-384 keys 5 ms), and so does reading a body of 1 MiB.
 */
const FREE_MS = 6;
/** The part of the thread's time that a team's costly targets may take, and how much of it at once. */
const SHARE = 0.05;
const BURST_MS = 200;
/** What a team's costly targets may take in one turn of the event loop, within which a hundred of them may be ready. */
const TURN_MS = 20;

/** How long a team pays for what its targets take, after one took more CPU time than usual. */
const SUSPECT_MS = 60_000;

/** By team: when the time that its targets took is paid off, by a monotonic clock (the generic cell rate algorithm with costs). */
const paidAt = new Map<string, number>();
/** By team: until when its targets pay. */
const suspectUntil = new Map<string, number>();

/** By team: what it was charged in the present turn of the event loop. */
const inTurn = new Map<string, number>();

const isTurnOver = (teamId: string) => (inTurn.get(teamId) ?? 0) >= TURN_MS;

function dropPast(times: Map<string, number>, now: number): void {
  for (const [team, at] of times) if (at <= now) times.delete(team);
}

function suspect(teamId: string, forMs: number): void {
  const now = performance.now();
  dropPast(suspectUntil, now);
  suspectUntil.set(teamId, Math.max(suspectUntil.get(teamId) ?? 0, now + forMs));
}

function charge(teamId: string, ms: number): void {
  const now = performance.now();
  dropPast(paidAt, now);
  paidAt.set(teamId, Math.max(now, paidAt.get(teamId) ?? 0) + ms / SHARE);
  if (inTurn.size === 0) setImmediate(() => inTurn.clear());
  inTurn.set(teamId, (inTurn.get(teamId) ?? 0) + ms);
}

const waitOf = (teamId: string) => (paidAt.get(teamId) ?? 0) - performance.now() - BURST_MS / SHARE;

/**
 * The turns of a TLS handshake, or of a connection's data. The server decides what its steps cost: a chain of 32 KiB with large exponents takes 200 ms of
 * the thread, a body of tiny chunks 70 ms, and neither OpenSSL nor a parser can be interrupted. After the first that takes more than usual, a team is
 * suspect: what the next ones take beyond the usual time is charged to it, and its steps wait so that all of this takes a twentieth of the thread,
 * and little of it at once.
 */
export class CostlyTurns {
  private freeMs = FREE_MS;

  constructor(private readonly payer: Payer) {}

  /** Whether the next step has to wait. */
  get mustWait(): boolean {
    const { teamId } = this.payer;
    return isTurnOver(teamId) || waitOf(teamId) > 0;
  }

  /** Runs a step: at once if the team may, otherwise when it may again. The clock of the exchange is paused while it waits. */
  async take(step: () => void): Promise<void> {
    const { teamId, by } = this.payer;
    while (this.mustWait) {
      const wait = waitOf(teamId);
      const options = { signal: by.signal };
      await by.waitForUs(() => (wait > 0 ? sleep(wait, undefined, options) : nextTurn(undefined, options)));
    }
    this.run(step);
  }

  /**
   * Runs work of another thread that takes about `ms` of CPU time, all of which is charged: at once if the team may, otherwise when it may again. The clock
   * of the exchange is paused while it waits.
   */
  async takeElsewhere<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
    await this.take(() => charge(this.payer.teamId, ms));
    return work();
  }

  /**
   * Runs a step now. Reading the CPU time of the process takes up to a fifth of a check's time, so only steps of suspect teams are measured by it. A step of
   * another team may have taken long because the machine had other work: it makes the team suspect for as long as its time would take to pay off, so
   * that unmeasured steps take no more than a team's share either.
   */
  run<Result>(step: () => Result): Result {
    const { teamId } = this.payer;
    const from = performance.now();
    const cpu = (suspectUntil.get(teamId) ?? 0) > from ? process.cpuUsage() : null;
    const result = step();
    const ms = performance.now() - from;
    if (ms <= this.freeMs) this.freeMs -= ms;
    else if (cpu === null) suspect(teamId, this.beyondFree(ms) / SHARE);
    else this.pay(Math.min(ms, cpuMsSince(cpu)));
    return result;
  }

  /** Charges what a step took beyond the usual time. */
  private pay(ms: number): void {
    const beyond = this.beyondFree(ms);
    if (beyond === 0) return;
    charge(this.payer.teamId, beyond);
    suspect(this.payer.teamId, SUSPECT_MS);
  }

  /** Takes from the free time; returns what it did not cover. */
  private beyondFree(ms: number): number {
    const beyond = Math.max(0, ms - this.freeMs);
    this.freeMs = Math.max(0, this.freeMs - ms);
    return beyond;
  }
}

/** Of all threads, so that it is more than a step's if others compute; the wall-clock time is more if other processes do. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
