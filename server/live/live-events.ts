import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '@/server/platform/errors';
import { FairPool } from '@/server/platform/fair-pool';
import { type LiveEvent, listen } from '@/server/platform/listen';
import type { TeamContext } from '@/server/trpc/contexts';
import { countStreams, watchTeam } from './watch-team';

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

/**
 * Returns for how many milliseconds events are merged after a message was sent: half a second, or longer for a team with many streams, so that it
 * gets at most 100 messages per second, because each takes more than a millisecond to send.
 */
export const mergeMs = (streams: number): number => Math.max(500, 10 * streams);
/** The maximum number of objects in unread events; a browser with more gets an event to reload everything. */
const MOST_UNREAD = 1_000;

type Change = Extract<LiveMessage, { ids: string[] }>;

/** The unread events of a stream, merged: one per kind, which names each object once. */
class Unread {
  private readonly ids = new Map<Change['kind'], Set<string>>();
  private count = 0;
  private reloadsAll = false;

  get isEmpty(): boolean {
    return this.ids.size === 0 && !this.reloadsAll;
  }

  add({ kind, ids }: Pick<LiveEvent, 'kind' | 'ids'>): void {
    if (this.reloadsAll) return;
    const known = this.ids.get(kind) ?? new Set();
    this.ids.set(kind, known);
    this.count -= known.size;
    for (const id of ids) known.add(id);
    this.count += known.size;
    if (this.count > MOST_UNREAD) this.reloadAll();
  }

  reloadAll(): void {
    this.take();
    this.reloadsAll = true;
  }

  /** Returns the events and forgets them. */
  take(): LiveMessage[] {
    const messages: LiveMessage[] = [...this.ids].map(([kind, ids]) => ({ kind, ids: [...ids] }));
    if (this.reloadsAll) messages.push({ kind: 'resync' });
    this.ids.clear();
    this.count = 0;
    this.reloadsAll = false;
    return messages;
  }
}

const slots = new FairPool({
  kind: 'stream',
  slots: MOST_STREAMS.process,
  perHost: MOST_STREAMS.user,
  // Streams are not queued.
  onWait: () => {},
});

/**
 * Reserves a stream. The returned function releases it and may be called repeatedly.
 * @throws AppError RATE_LIMITED
 */
function takePlace({ team, user }: TeamContext): () => void {
  let free = slots.tryEnter({ team: team.id, host: user.id });
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
  const unread = new Unread();
  const resync = () => {
    unread.reloadAll();
    arrivals.emit('message');
  };
  const stopLive = await listen('live', (event: LiveEvent) => {
    if (event.team !== ctx.team.id) return;
    unread.add(event);
    arrivals.emit('message');
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
      if (unread.isEmpty) await once(arrivals, 'message', { signal: signals });
      yield* unread.take();
      await sleep(mergeMs(countStreams(ctx.team.id)), undefined, { signal: signals });
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
