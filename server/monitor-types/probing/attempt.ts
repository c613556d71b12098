import {
  type Asker,
  BlockedTargetError,
  type BudgetLimits,
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
import { OwnError } from '@/server/platform/own-error';
import type { Observation, SeenCertificate, Timings } from './observation';
import { type Exchange, newTrace, refusedIn } from './trace';

/** The target's response is not the expected one. The message is a sentence for users. */
export class TargetFailure extends OwnError {
  static override readonly kind: string = 'TargetFailure';
}

/** The check could not be run, which says nothing about the target. The message is a sentence for users. */
export class OwnFailure extends OwnError {
  static override readonly kind: string = 'OwnFailure';
}

const isSpoken = (error: unknown): error is TargetFailure | OwnFailure =>
  error instanceof TargetFailure || error instanceof OwnFailure;

/** Whether an error is more specific than a timeout. */
const isSpecific = (error: unknown) => isSpoken(error) || error instanceof DnsError;

/** The result of an exchange apart from its timings. `latencyMs` is set if the exchange measured it itself. */
export type Seen<Evidence> = Partial<Pick<Observation<Evidence>, 'evidence' | 'statusCode' | 'latencyMs'>>;

/** Errors of this machine or of the monitor, not of the target: no more sockets, no route. */
const OWN_FAULTS = new Set([
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETUNREACH', 'ENETDOWN', 'ENAMESERVERS'],
  // A request that cannot be built.
  ...['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_UNESCAPED_CHARACTERS', 'ERR_INVALID_URL'],
]);

/** Whether an error means that this instance does not allow the connection. */
export const isRefusal = (error: unknown): error is BlockedTargetError | InternalNameError | InvalidTargetError =>
  [BlockedTargetError, InternalNameError, InvalidTargetError].some((kind) => error instanceof kind);

/** Whether an error means that the check could not be run at all. If several addresses were tried, all of their errors must mean that. */
function isOwnFault(error: unknown): boolean {
  if (error instanceof OwnFailure || isRefusal(error)) return true;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isOwnFault);
  return error instanceof Error && 'code' in error && OWN_FAULTS.has(String(error.code));
}

export interface ObserveOptions {
  /** Ends the check without an observation. */
  signal: AbortSignal;
  /** The team whose share of the pools the check uses. */
  teamId: string;
  /** Skips the DNS cache: the check confirms a change, or a user waits for it. */
  fresh?: boolean;
}

/** A running check: its deadline, its clock, and what it has observed so far. */
export class Attempt implements Patience {
  readonly timings: Timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null };
  family: 4 | 6 | null = null;
  certificate: SeenCertificate | null = null;
  readonly trace = newTrace();
  /** Whether the response has started. */
  answering = false;
  /** What precedes the message of an error: the step in which it happened. */
  place = '';
  /** The evidence of a check that fails. */
  soFar: Seen<unknown> = {};
  readonly teamId: string;
  private readonly fresh: boolean;
  /** Every socket of the check, closed at its end. */
  readonly sockets: Sockets;
  private readonly deadline: Deadline;
  private readonly outer: AbortSignal;

  constructor(timeoutMs: number, { signal, teamId, fresh = false }: ObserveOptions, limits?: BudgetLimits) {
    this.teamId = teamId;
    this.fresh = fresh;
    this.outer = signal;
    this.deadline = new Deadline({
      timeoutMs,
      reason: () => new NetworkTimeoutError(timeoutMs, this.answering),
      signal,
    });
    this.sockets = new Sockets(this.signal, (error) => this.deadline.abort(error), this.asker, limits);
  }

  /** The limits of the check. */
  get budget() {
    return this.sockets.budget;
  }

  /** Aborts at the deadline and when the caller stops. Its reason is the error to throw. */
  get signal(): AbortSignal {
    return this.deadline.signal;
  }

  /** Milliseconds since the start. The clock is paused while the check waits for a slot. */
  now(): number {
    return this.deadline.now();
  }

  /** Waits for a slot. This time counts neither as latency nor against the timeout. */
  waitForUs<T>(wait: () => Promise<T>): Promise<T> {
    return this.deadline.waitForUs(wait);
  }

  /** The check as a caller of name resolution. */
  get asker(): Asker {
    return { teamId: this.teamId, by: this, fresh: this.fresh };
  }

  /** Adds the time since `from` (of `now()`) to a phase, and returns the current time. */
  spent(phase: keyof Timings, from: number): number {
    const now = this.now();
    this.timings[phase] = (this.timings[phase] ?? 0) + (now - from);
    return now;
  }

  /** Records a request; the caller adds the response. */
  exchange(line: string | null, headers: Record<string, string> = {}): Exchange {
    const exchange: Exchange = { line, headers, response: null, body: null, isTruncated: false };
    this.trace.exchanges.push(exchange);
    return exchange;
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
      trace: this.trace,
      ...seen,
    };
  }

  /** Returns the reason for which the check was ended, if that made the exchange fail and is more specific than its error; otherwise the error. */
  private causeOf(error: unknown): unknown {
    const { aborted, reason } = this.signal;
    return aborted && (reason instanceof FloodError || !isSpecific(error)) ? reason : error;
  }

  private failure<E>(error: unknown): Observation<E> {
    this.trace.connections.push(...refusedIn(error));
    const message = isSpoken(error) ? error.message : describeNetworkError(error);
    const outcome = isOwnFault(error) ? 'unknown' : 'failed';
    return this.observation(outcome, `${this.place}${message}`, this.soFar as Seen<E>);
  }

  /** Runs the exchange and returns its observation. Rejects only if the caller's signal aborted: then there is no observation. */
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
