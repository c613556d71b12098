import { EventEmitter, once } from 'node:events';
import { z } from 'zod';
import { rateLimited } from '@/server/platform/errors';
import { type LiveEvent, listen } from '@/server/platform/listen';
import type { TeamContext } from '@/server/trpc/contexts';
import { watchTeam } from './watch-team';

/** An event for a page: reload the queries that show these objects. `hello` opens a stream, `resync` follows a gap in it. */
export const LiveMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hello') }),
  z.object({ kind: z.literal('resync') }),
  z.object({ kind: z.enum(['monitor', 'incident', 'channel', 'on-call', 'status-page']), ids: z.array(z.string()) }),
]);
export type LiveMessage = z.infer<typeof LiveMessage>;

/** The maximum number of streams per user in this process; each open tab has one, and uses memory while its browser does not read. */
export const MOST_STREAMS = 50;

/** The maximum number of unread events of a slow browser; it is then told to reload everything. */
const MOST_UNREAD = 100;

const streams = new Map<string, number>();

/**
 * Reserves a stream for a user; call the returned function when it ends.
 * @throws AppError RATE_LIMITED
 */
function takePlace(userId: string): () => void {
  const open = streams.get(userId) ?? 0;
  if (open >= MOST_STREAMS) {
    throw rateLimited('Too many live connections. Close some tabs.', { limit: MOST_STREAMS, resetSeconds: 30 });
  }
  streams.set(userId, open + 1);
  return () => {
    const left = (streams.get(userId) ?? 1) - 1;
    if (left > 0) streams.set(userId, left);
    else streams.delete(userId);
  };
}

/** The interval of permission checks of a stream without an event, in milliseconds. */
const RECHECK_MS = 30_000;

/**
 * The stream of a team's changes, for the lifetime of the caller's session: a sign-out, a changed password, or removal from the team or of the
 * account ends it at once.
 * @throws AppError RATE_LIMITED
 */
export async function* liveEvents(
  { ctx, signal }: { ctx: TeamContext; signal: AbortSignal | undefined },
  stillAllowed: () => Promise<boolean>,
): AsyncGenerator<LiveMessage> {
  const freePlace = takePlace(ctx.user.id);
  const arrivals = new EventEmitter<{ message: [] }>();
  const ended = new AbortController();
  const signals = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  let unread: LiveMessage[] = [];
  const add = (message: LiveMessage) => {
    unread = unread.length < MOST_UNREAD ? [...unread, message] : [{ kind: 'resync' }];
    arrivals.emit('message');
  };
  const resync = () => add({ kind: 'resync' });
  const stopLive = await listen('live', ({ team, kind, ids }: LiveEvent) => {
    if (team === ctx.team.id) add({ kind, ids });
  });
  const stopResumed = await listen('resumed', resync);
  const recheck = () => {
    stillAllowed().then(
      (allowed) => allowed || ended.abort(),
      (error) => ctx.log.warn({ err: error }, 'Could not ask whether a live stream may go on'),
    );
  };
  const stopAccess = await listen('access', (userId) => userId === ctx.user.id && recheck());
  const timer = setInterval(recheck, RECHECK_MS);
  let stopWatching = () => {};
  try {
    // Before the page reads its data, so that no change is missed.
    stopWatching = await watchTeam(ctx.team.id, resync);
    yield { kind: 'hello' };
    for (;;) {
      signals.throwIfAborted();
      const message = unread.shift();
      if (message) yield message;
      else await once(arrivals, 'message', { signal: signals });
    }
  } catch (error) {
    if (!signals.aborted) throw error;
  } finally {
    clearInterval(timer);
    stopWatching();
    stopAccess();
    stopLive();
    stopResumed();
    freePlace();
  }
}
