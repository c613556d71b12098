import {
  type Asker,
  BlockedTargetError,
  Deadline,
  DnsError,
  describeNetworkError,
  FloodError,
  InternalNameError,
  InvalidTargetError,
  NetworkTimeoutError,
  type Patience,
  Sockets,
} from '@/server/platform/net';
import type { Observation, SeenCertificate, Timings } from './observation';

/** The target answered something else than what was asked of it. The message is a sentence for people. */
export class TargetFailure extends Error {}

/** The check could not be made, which says nothing about the target. The message is a sentence for people. */
export class OwnFailure extends Error {}

const isSpoken = (error: unknown): error is TargetFailure | OwnFailure =>
  error instanceof TargetFailure || error instanceof OwnFailure;

/** Errors that say more of a check that ran out of time than that it did. */
const isTelling = (error: unknown) => isSpoken(error) || error instanceof DnsError;

/** What an exchange returns beside its timings; `latencyMs` where it measured that itself. */
export type Seen<Evidence> = Partial<Pick<Observation<Evidence>, 'evidence' | 'statusCode' | 'latencyMs'>>;

/** Errors that tell of this machine or of the monitor, and not of the target: no more sockets, no way into any network. */
const OWN_FAULTS = new Set([
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETUNREACH', 'ENETDOWN', 'ENAMESERVERS'],
  // A request that cannot be put together.
  ...['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_UNESCAPED_CHARACTERS', 'ERR_INVALID_URL'],
]);

/** Whether it is this instance that does not connect there. */
export const isRefusal = (error: unknown): error is BlockedTargetError | InternalNameError | InvalidTargetError =>
  [BlockedTargetError, InternalNameError, InvalidTargetError].some((kind) => error instanceof kind);

/** Whether the check could not even be made. Where several addresses were tried, only if none could be. */
function isOwnFault(error: unknown): boolean {
  if (error instanceof OwnFailure || isRefusal(error)) return true;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isOwnFault);
  return error instanceof Error && 'code' in error && OWN_FAULTS.has(String(error.code));
}

export interface ObserveOptions {
  /** Ends the check without an observation. */
  signal: AbortSignal;
  /** Whose share of what all teams use together the check takes. */
  teamId: string;
  /** What name servers answered before does not count: the check confirms a change, or somebody waits for it. */
  fresh?: boolean;
}

/** One check under way: its deadline, its clock, and what it has seen so far. */
export class Attempt implements Patience {
  readonly timings: Timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null };
  family: 4 | 6 | null = null;
  certificate: SeenCertificate | null = null;
  /** An answer has begun to come in. */
  answering = false;
  readonly teamId: string;
  private readonly fresh: boolean;
  /** Every socket of the check, closed when it is over. */
  readonly sockets: Sockets;
  private readonly deadline: Deadline;
  private readonly outer: AbortSignal;

  constructor(timeoutMs: number, { signal, teamId, fresh = false }: ObserveOptions) {
    this.teamId = teamId;
    this.fresh = fresh;
    this.outer = signal;
    this.deadline = new Deadline({
      timeoutMs,
      reason: () => new NetworkTimeoutError(timeoutMs, this.answering),
      signal,
    });
    this.sockets = new Sockets(this.signal, (error) => this.deadline.abort(error));
  }

  /** What the check may cost. */
  get budget() {
    return this.sockets.budget;
  }

  /** Aborts at the deadline and when the caller stops; its reason is the error to end with. */
  get signal(): AbortSignal {
    return this.deadline.signal;
  }

  /** Milliseconds since the start. The clock stands still while the check waits for a place of ours. */
  now(): number {
    return this.deadline.now();
  }

  /** Waits for a place of ours: that time is neither the target's nor taken from its timeout. */
  waitForUs<T>(wait: () => Promise<T>): Promise<T> {
    return this.deadline.waitForUs(wait);
  }

  /** On whose behalf names are resolved. */
  get asker(): Asker {
    return { teamId: this.teamId, by: this, fresh: this.fresh };
  }

  /** Adds the time since `from` (of `now()`) to a phase, and gives the present time back. */
  spent(phase: keyof Timings, from: number): number {
    const now = this.now();
    this.timings[phase] = (this.timings[phase] ?? 0) + (now - from);
    return now;
  }

  private observation<E>(outcome: Observation['outcome'], error: string | null, seen: Seen<E>): Observation<E> {
    return {
      outcome,
      error,
      statusCode: null,
      evidence: null,
      latencyMs: this.now(),
      timings: this.timings,
      family: this.family,
      certificate: this.certificate,
      ...seen,
    };
  }

  /** What ended the check, where that made the exchange fail. */
  private causeOf(error: unknown): unknown {
    const { aborted, reason } = this.signal;
    return aborted && (reason instanceof FloodError || !isTelling(error)) ? reason : error;
  }

  private failure<E>(error: unknown): Observation<E> {
    const message = isSpoken(error) ? error.message : describeNetworkError(error);
    return this.observation(isOwnFault(error) ? 'unknown' : 'failed', message, {});
  }

  /**
   * Runs the exchange and says what came of it. Rejects only where the caller's signal aborted: then nothing was seen.
   */
  async observe<E>(exchange: () => Promise<Seen<E>>): Promise<Observation<E>> {
    try {
      return this.observation('ok', null, await exchange());
    } catch (error) {
      this.outer.throwIfAborted();
      return this.failure(this.causeOf(error));
    } finally {
      this.deadline.end();
      this.sockets.close();
    }
  }
}
