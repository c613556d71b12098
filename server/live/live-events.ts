import { EventEmitter, once } from 'node:events';
import { z } from 'zod';
import { AppError } from '@/server/platform/errors';
import { FairPool } from '@/server/platform/fair-pool';
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

/** The maximum number of streams: in this process, and for a user in a team. Each open tab has one; it uses memory while its browser reads slowly. */
export const MOST_STREAMS = { process: 1_000, user: 50 };
/** A page without a stream reloads its data at intervals until it retries. */
const RETRY_AFTER_SECONDS = 30;

/** The maximum number of unread events of a slow browser; it then gets an event to reload everything. */
const MOST_UNREAD = 100;

const places = new FairPool({
  kind: 'stream',
  places: MOST_STREAMS.process,
  perHost: MOST_STREAMS.user,
  // Streams are not queued.
  onWait: () => {},
});

/**
 * Reserves a stream. The returned function releases it and may be called repeatedly.
 * @throws AppError RATE_LIMITED
 */
function takePlace({ team, user }: TeamContext): () => void {
  let free = places.tryEnter({ team: team.id, host: user.id });
  if (!free) {
    const message = 'Too many live connections. Close some tabs, or try again later.';
    throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  return () => {
    free?.();
    free = null;
  };
}

/** The interval of permission checks of a stream without an event, in milliseconds. */
const RECHECK_MS = 30_000;

interface Subscriber {
  ctx: TeamContext;
  signal: AbortSignal | undefined;
}

/**
 * Streams a team's changes until the caller's session ends. A sign-out, a changed password, or removal from the team ends the stream at once.
 * @throws AppError RATE_LIMITED
 */
export function liveEvents(
  { ctx, signal }: Subscriber,
  stillAllowed: () => Promise<boolean>,
): AsyncGenerator<LiveMessage> {
  // Before the stream begins, so that a rejection is a response with an error status.
  const freePlace = takePlace(ctx);
  // A stream of a client that disconnected before it began is never read.
  if (signal?.aborted) freePlace();
  signal?.addEventListener('abort', freePlace, { once: true });
  return events({ ctx, signal }, stillAllowed, freePlace);
}

async function* events(
  { ctx, signal }: Subscriber,
  stillAllowed: () => Promise<boolean>,
  freePlace: () => void,
): AsyncGenerator<LiveMessage> {
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
    // Before the page loads its data, so that it misses no change.
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
