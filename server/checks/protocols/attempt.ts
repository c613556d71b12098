import {
  BlockedTargetError,
  describeNetworkError,
  InvalidTargetError,
  NetworkTimeoutError,
} from '@/server/platform/net';
import type { Certificate, Observation, Timings } from '../types';

/** The target answered something else than what was asked of it. The message is a sentence for people. */
export class TargetFailure extends Error {}

/** The check could not be made, which says nothing about the target. The message is a sentence for people. */
export class OwnFailure extends Error {}

const isSpoken = (error: unknown): error is TargetFailure | OwnFailure =>
  error instanceof TargetFailure || error instanceof OwnFailure;

/** What an exchange brings back beside its timings; `latencyMs` where it measured that itself. */
export type Seen = Partial<Pick<Observation, 'answer' | 'records' | 'packets' | 'latencyMs'>>;

/** Errors that tell of this machine and not of the target: no more sockets, no memory, no way into any network. */
const OWN_FAULTS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETUNREACH', 'ENETDOWN']);

/** Whether it is this instance that does not connect there. */
export const isRefusal = (error: unknown): error is BlockedTargetError | InvalidTargetError =>
  error instanceof BlockedTargetError || error instanceof InvalidTargetError;

/** Whether the check could not even be made. Where several addresses were tried, only if none could be. */
function isOwnFault(error: unknown): boolean {
  if (error instanceof OwnFailure || isRefusal(error)) return true;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isOwnFault);
  return error instanceof Error && 'code' in error && OWN_FAULTS.has(String(error.code));
}

/** One check under way: its deadline, its clock, and what it has seen so far. */
export class Attempt {
  readonly timings: Timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null };
  family: 4 | 6 | null = null;
  certificate: Certificate | null = null;
  /** An answer has begun to come in. */
  answering = false;
  private readonly started = performance.now();
  private readonly stop = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly cancel = () => this.stop.abort(this.outer.reason);

  constructor(
    timeoutMs: number,
    private readonly outer: AbortSignal,
  ) {
    outer.throwIfAborted();
    outer.addEventListener('abort', this.cancel);
    this.timer = setTimeout(() => this.stop.abort(new NetworkTimeoutError(timeoutMs, this.answering)), timeoutMs);
  }

  /** Aborts at the deadline and when the caller stops; its reason is the error to end with. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Adds the time since `from` (of `performance.now()`) to a phase, and gives the present time back. */
  spent(phase: keyof Timings, from: number): number {
    const now = performance.now();
    this.timings[phase] = (this.timings[phase] ?? 0) + (now - from);
    return now;
  }

  private observation(outcome: Observation['outcome'], error: string | null, seen: Seen): Observation {
    return {
      outcome,
      error,
      answer: null,
      records: null,
      packets: null,
      latencyMs: performance.now() - this.started,
      timings: this.timings,
      family: this.family,
      certificate: this.certificate,
      ...seen,
    };
  }

  private failure(error: unknown): Observation {
    const message = isSpoken(error) ? error.message : describeNetworkError(error);
    return this.observation(isOwnFault(error) ? 'unknown' : 'failed', message, {});
  }

  /**
   * Runs the exchange and says what came of it. Rejects only where the caller's signal aborted: then nothing was seen.
   */
  async observe(exchange: () => Promise<Seen>): Promise<Observation> {
    try {
      return this.observation('ok', null, await exchange());
    } catch (error) {
      this.outer.throwIfAborted();
      return this.failure(this.signal.aborted && !isSpoken(error) ? this.signal.reason : error);
    } finally {
      clearTimeout(this.timer);
      this.outer.removeEventListener('abort', this.cancel);
    }
  }
}
