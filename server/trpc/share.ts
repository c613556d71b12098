import { networkOf } from '@/server/platform/caller-network';
import { withShare } from '@/server/platform/database/connection-share';
import { AppError } from '@/server/platform/errors';
import { FairPool, type Share } from '@/server/platform/fair-pool';
import type { Actor } from './actor';

/** The kind of procedure: mutations have their own limits, and their own turn within the share of a team. */
export type CallKind = 'query' | 'mutation' | 'subscription';

interface Call {
  actor: Actor;
  address: string;
  kind: CallKind;
}

/** Returns the share of callers who are anonymous or not resolved yet, divided by network. */
function anonymousShare(address: string): Share {
  return { team: 'anonymous', host: networkOf(address) };
}

/**
 * Returns the share of a caller: that of the credential's team, of a user without a team, or of the network. Within a team, reads and mutations take
 * turns, so that a team can read while it sends many bulk calls.
 */
function shareOf({ actor, address, kind }: Call): Share {
  if (actor.kind === 'anonymous') return anonymousShare(address);
  return { team: actor.team?.id ?? `user:${actor.user.id}`, host: kind === 'mutation' ? 'changes' : 'reads' };
}

/** Runs `work`, whose database connections count to the share of the caller. */
export function inShareOf<T>(call: Call, work: () => Promise<T>): Promise<T> {
  return withShare(shareOf(call), work);
}

/** Runs `work` of a caller who is anonymous or not resolved yet. Its database connections count to the share of the network. */
export function inShareOfNetwork<T>(headers: Headers, work: () => Promise<T>): Promise<T> {
  return withShare(anonymousShare(headers.get('x-upwatch-address') ?? ''), work);
}

/**
 * The maximum number of queries of a team, or of a network, that run at the same time. Without it, all queries of large batches could run at once: a
 * slow query gives up its turn as a call (`api/call-gate.ts`) after a second, so a hundred could hold their rows in memory, and results that arrive
 * together are converted in one turn of the event loop.
 */
const QUERIES_AT_ONCE = 3;

const queries = new FairPool({
  kind: 'query',
  slots: 1_000,
  perHost: QUERIES_AT_ONCE,
  // The wait is already part of the measured time of the call.
  onWait: () => {},
});

/** How long a query waits, as long as for a connection of the database. */
const PATIENCE_MS = 10_000;

function busy(): AppError {
  const message = 'Too many queries of your team are running. Try again in a few seconds.';
  return new AppError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
}

/**
 * Runs a procedure in the share of its caller. A query waits while too many others of its team run.
 * @throws AppError RATE_LIMITED for a query that waited too long
 */
export async function runInShareOf<T>(call: Call, work: () => Promise<T>): Promise<T> {
  if (call.kind !== 'query') return inShareOf(call, work);
  const share = shareOf(call);
  const enter = async () => {
    const gone = AbortSignal.timeout(PATIENCE_MS);
    return queries.enter(share, gone).catch((error: unknown) => {
      throw gone.aborted ? busy() : error;
    });
  };
  const release = queries.tryEnter(share) ?? (await enter());
  try {
    return await inShareOf(call, work);
  } finally {
    release();
  }
}
