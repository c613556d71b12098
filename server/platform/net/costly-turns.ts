import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { FairPool } from '../fair-pool';
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
/** The part of the thread's time that a team's costly targets may take, and the milliseconds that they may take at once. */
const SHARE = 0.05;
const BURST_MS = 200;
/** What a team's targets may take in one turn of the event loop, usual or not: a server can make hundreds of them ready at once. */
const TURN_MS = 20;

/**
 * How much costly work of targets runs in libuv's threads at once: each of its 64 threads would compete with this one for the cores. More than there
 * are cores, because a place is held until this thread reads the result.
 */
const elsewhere = new FairPool({ kind: 'compute', slots: 4 });
/** The maximum counted time of work in another thread, because longer work had to wait for a core. */
const MOST_MS_ELSEWHERE = 50;

/** What costly handshakes take at most. A longer step was delayed by something else, such as garbage collection. */
const MOST_MS_A_STEP = 200;

/** How long a team pays for what its targets take, after one took more CPU time than usual. */
const SUSPECT_MS = 60_000;

/** By team: when the time that its targets took is paid off, by a monotonic clock (the generic cell rate algorithm with costs). */
const paidAt = new Map<string, number>();
/** By team: until when its targets pay. */
const suspectUntil = new Map<string, number>();

/** By team: what its targets took in the present turn of the event loop. */
const inTurn = new Map<string, number>();

/** Counts the time of the code that the last step resolved, up to now. Null once it is counted. */
let countRest: ((now: number) => void) | null = null;

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
}

function countInTurn(teamId: string, ms: number): void {
  if (inTurn.size === 0) setImmediate(() => inTurn.clear());
  inTurn.set(teamId, (inTurn.get(teamId) ?? 0) + ms);
}

/**
 * The turns of a TLS handshake, or of a connection's data. The server decides what its steps cost: a chain of 32 KiB with large exponents takes 200
 * ms of the thread, a body of tiny chunks 70 ms, and neither OpenSSL nor a parser can be interrupted. After the first that takes more than usual, a
 * team is suspect: what the next ones take beyond the usual time is charged to it, and its steps wait so that all of this takes a twentieth of the
 * thread. Many steps of a team that are ready at once are spread over turns of the event loop.
 */
export class CostlyTurns {
  /** The CPU time of measured work in other threads so far, at least, in milliseconds. */
  elsewhereMs = 0;

  /** @param freeMs what its steps may take without a charge; without a limit, they only take turns */
  constructor(
    private readonly payer: Payer,
    private freeMs = FREE_MS,
  ) {}

  /** Whether the next step has to wait. */
  get mustWait(): boolean {
    const { teamId } = this.payer;
    return isTurnOver(teamId) || this.debtMs > 0;
  }

  /**
   * Runs a step: at once if the team may, otherwise when it may again. The clock of the exchange is paused while it waits.
   * @returns the step's result, once it is there
   */
  async take<Result>(step: () => Result | Promise<Result>): Promise<Result> {
    while (this.mustWait) await this.wait();
    return this.run(step);
  }

  /**
   * Runs work of another thread, such as decompression, whose cost the server decides: when the team may, in one of a few slots that teams share.
   * The clock of the exchange is paused while it waits. Rejects as `work` does, or with an AbortError if the exchange ended.
   * @param work at most a few milliseconds of CPU time, because it cannot be interrupted
   * @param knownMs the CPU time to charge. Without it, the time is measured, and what is beyond the usual is charged
   */
  async takeElsewhere<Result>(work: () => Promise<Result>, knownMs?: number): Promise<Result> {
    const release = await this.enterElsewhere();
    const loop = performance.eventLoopUtilization();
    const cpu = process.cpuUsage();
    try {
      return await work();
    } finally {
      release();
      if (knownMs !== undefined) charge(this.payer.teamId, knownMs);
      else {
        // While this thread was busy, the work may have been done long ago.
        const { idle } = performance.eventLoopUtilization(loop);
        const ms = Math.min(idle, cpuMsSince(cpu), MOST_MS_ELSEWHERE);
        this.elsewhereMs += ms;
        this.pay(ms);
      }
    }
  }

  /**
   * Runs a step now. Reading the CPU time of the process takes up to a fifth of a check's time, so only steps of suspect teams are measured by it. A
   * step of another team may have taken long because the machine had other work: it makes the team suspect for as long as its time would take to pay
   * off, so that unmeasured steps take no more than a team's share either.
   */
  run<Result>(step: () => Result): Result {
    const { teamId } = this.payer;
    const from = performance.now();
    countRest?.(from);
    const cpu = (suspectUntil.get(teamId) ?? 0) > from ? process.cpuUsage() : null;
    const result = step();
    const until = performance.now();
    this.spend(until - from, cpu);
    const rest = (now: number) => {
      if (countRest !== rest) return;
      countRest = null;
      this.spend(now - until, cpu, until - from);
    };
    countRest = rest;
    // What the step resolves runs in microtasks, and all of them before a tick that one of them plans.
    queueMicrotask(() => process.nextTick(() => rest(performance.now())));
    return result;
  }

  /**
   * Adds the time of a step to the team's time in this turn of the event loop, and charges the team for time beyond the usual.
   * @param cpu the CPU time before the step; null if it is not measured
   * @param counted the part of the CPU time since then that was counted before
   */
  private spend(ms: number, cpu: NodeJS.CpuUsage | null, counted = 0): void {
    const { teamId } = this.payer;
    countInTurn(teamId, ms);
    if (ms <= this.freeMs) this.freeMs -= ms;
    else if (cpu === null) suspect(teamId, this.beyondFree(ms) / SHARE);
    else {
      const took = Math.min(ms, Math.max(0, cpuMsSince(cpu) - counted), MOST_MS_A_STEP);
      this.pay(took, Math.max(1, took / TURN_MS));
    }
  }

  /**
   * Charges what a step took beyond the usual time.
   * @param weight more than 1 for a step that nothing could interrupt: ten times the length makes ten times as many checks of others wait ten times
   *   as long, so it is charged a hundred times as much
   */
  private pay(ms: number, weight = 1): void {
    const beyond = this.beyondFree(ms);
    if (beyond === 0) return;
    charge(this.payer.teamId, beyond * weight);
    suspect(this.payer.teamId, SUSPECT_MS);
  }

  /** Uses up the free time of these turns; returns the milliseconds that it did not cover. */
  private beyondFree(ms: number): number {
    const beyond = Math.max(0, ms - this.freeMs);
    this.freeMs = Math.max(0, this.freeMs - ms);
    return beyond;
  }

  /** The milliseconds until the team's charges are paid off, not positive if none are due; 0 for steps that are never charged. */
  private get debtMs(): number {
    if (this.freeMs === Number.POSITIVE_INFINITY) return 0;
    return (paidAt.get(this.payer.teamId) ?? 0) - performance.now() - BURST_MS / SHARE;
  }

  /** Waits for the next turn of the event loop, or for as long as the team still owes time. */
  private wait(): Promise<void> {
    const { by } = this.payer;
    const { debtMs } = this;
    const options = { signal: by.signal };
    return by.waitForUs(() => (debtMs > 0 ? sleep(debtMs, undefined, options) : nextTurn(undefined, options)));
  }

  /**
   * Takes a place for work in another thread. After the wait, verifies again that the team may use it, because it may have been charged meanwhile.
   * @returns a function that releases the place
   */
  private async enterElsewhere(): Promise<() => void> {
    const { teamId, by } = this.payer;
    const share = { team: teamId };
    for (;;) {
      by.signal.throwIfAborted();
      while (this.mustWait) await this.wait();
      const release = elsewhere.tryEnter(share) ?? (await by.waitForUs(() => elsewhere.enter(share, by.signal)));
      if (!this.mustWait) return release;
      release();
    }
  }
}

/**
 * Returns the CPU time of all threads since `before`, in milliseconds. It is more than a step's if other threads compute; the wall-clock time is more
 * if other processes do.
 */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
