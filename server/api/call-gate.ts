import type { IncomingMessage } from 'node:http';
import { networkBucketOf, networkOf } from '@/server/platform/caller-network';
import { sha256 } from '@/server/platform/crypto';
import { rateLimited } from '@/server/platform/errors';
import { FairPool, type Share } from '@/server/platform/fair-pool';
import type { RequestFacts } from '@/server/platform/request-facts';
import { sessionCookieValue } from '@/server/trpc/session';
import { Turns } from './turns';

/** The number of concurrent calls. A call takes 5 to 100 ms of the main thread; others use that thread while it waits for the database. */
const SLOTS = 6;
/** The maximum number of waiting calls: enough for a network whose jobs all ping in the same second. */
const MOST_WAITING = 2_000;
/**
 * The maximum number of calls whose answer has begun or waits for something else. A team has at most half of them while others call. More than the
 * slow bodies, which are unfinished until they arrive.
 */
const MOST_UNFINISHED = 200;
const RETRY_AFTER_SECONDS = 1;
const MOST_KNOWN = 20_000;
/** The maximum number of bodies that arrive slowly at the same time, of at most 1 MiB each; of a ping, 10 KiB are kept. */
const SLOW_BODIES = { call: 100, ping: 1_000 };
const PING = /^\/api\/(heartbeat|push)\//;

/** Matches the paths of operations, whose calls count against the rate limit of their caller. Other paths have their own limits, or none. */
const OPERATIONS = /^\/(?:api\/(?:v1|trpc|mcp)|auth|dashboard|admin)(?:\/(?!openapi\.json$)|$)/;

/** The parts of a request that the gate reads. */
type Call = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

const isOperation = ({ method, url = '' }: Call) => method !== 'OPTIONS' && OPERATIONS.test(url.split('?', 1)[0] ?? '');

/**
 * Returns the text of a request's credential, empty without one. Reads only the headers that its path accepts (AuthSurface), so that an ignored
 * header does not identify a caller.
 */
function credentialOf({ url = '', headers: { authorization = '', cookie = '' } }: Call): string {
  if (/^\/api\/(v1|mcp)\b/.test(url)) return authorization;
  const session = sessionCookieValue(cookie);
  return url.startsWith('/api/trpc/') ? session : authorization || session;
}

type Caller = NonNullable<RequestFacts['caller']>;

/** Sets a key as the latest entry, and deletes the oldest one if there are too many. */
function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KNOWN && oldest !== undefined) kept.delete(oldest);
}

/**
 * Limits calls, so that one team or network cannot occupy the web process (docs/decisions/0021-limits.md). Calls with a credential that was valid
 * before share slots by team, others by network. Rejects the calls of a caller whose rate limit is exceeded until it ends, because the application
 * takes 5 ms to do so.
 */
export class CallGate {
  private readonly turns = new Turns({
    kind: 'call',
    slots: SLOTS,
    mostUnfinished: MOST_UNFINISHED,
    mostWaiting: MOST_WAITING,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
  private readonly bodies: Record<keyof typeof SLOW_BODIES, FairPool>;
  /** The callers of valid credentials, by their hash. */
  private readonly callers = new Map<string, Caller>();
  /** The exhausted rate limits, by API key or by network. */
  private readonly exceeded = new Map<string, { limit: number; endsAt: number }>();

  constructor({ call, ping } = SLOW_BODIES) {
    const poolOf = (slots: number) => new FairPool({ kind: 'body', slots });
    this.bodies = { call: poolOf(call), ping: poolOf(ping) };
  }

  /**
   * Waits for a slot, which is released after a second at the latest. Call the returned function once the call is answered.
   * @param gone aborted when the client disconnects; `enter` then rejects with the signal's reason
   * @throws AppError RATE_LIMITED, or UNAVAILABLE if too many calls wait
   */
  async enter(call: Call, gone: AbortSignal): Promise<() => void> {
    const { share, counted } = this.find(call);
    if (isOperation(call)) this.assertAllowed(counted);
    return this.turns.enter(share, gone);
  }

  /**
   * Reserves memory for the body of a call, part of which has not arrived yet.
   * @returns the function that frees it, or null if too many bodies of its team or network are arriving
   */
  tryBody(call: Call): (() => void) | null {
    return this.bodies[PING.test(call.url ?? '') ? 'ping' : 'call'].tryEnter(this.find(call).share);
  }

  /** Remembers what the application found out about a call: the caller of a valid credential, a rejected credential, or an exhausted rate limit. */
  note(call: Call, { caller, isRefused, exceeded }: RequestFacts): void {
    const credential = credentialOf(call);
    if (caller && credential) keep(this.callers, sha256(credential), caller);
    // Forgets it, because requests with a revoked credential would still use its team's share.
    if (isRefused && credential) this.callers.delete(sha256(credential));
    const counted = exceeded && this.find(call).counted;
    if (!exceeded || !counted) return;
    keep(this.exceeded, counted, { limit: exceeded.limit, endsAt: performance.now() + exceeded.seconds * 1000 });
  }

  private find(call: Call) {
    const network = networkBucketOf(networkOf(String(call.headers['x-upwatch-address'])));
    const credential = credentialOf(call);
    const caller = credential ? this.callers.get(sha256(credential)) : undefined;
    // A user has several limits. An unknown credential may be valid, and then does not count against its network.
    const counted = caller ? (caller.isKey ? caller.id : null) : credential ? null : network;
    const share: Share = caller ? { team: caller.team, host: caller.id } : { team: network };
    return { share, counted };
  }

  private assertAllowed(counted: string | null): void {
    const exceeded = counted === null ? undefined : this.exceeded.get(counted);
    if (!exceeded || counted === null) return;
    const { limit, endsAt } = exceeded;
    const resetSeconds = Math.ceil((endsAt - performance.now()) / 1000);
    if (resetSeconds <= 0) return void this.exceeded.delete(counted);
    const message = `Rate limit of ${limit} requests per minute exceeded. Try again in ${resetSeconds} s.`;
    throw rateLimited(message, { limit, resetSeconds });
  }
}
