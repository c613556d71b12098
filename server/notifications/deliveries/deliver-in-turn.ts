import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { withShare } from '@/server/platform/database/connection-share';
import { db } from '@/server/platform/db';
import { FairPool, type Share } from '@/server/platform/fair-pool';
import { log } from '@/server/platform/log';
import { channelDefinitionOf } from '../providers/definitions';
import { attemptDeliveries } from './attempt-deliveries';
import { attemptGroup } from './attempt-group';
import { LEASE_MS } from './delivery-queries';
import type { Schedule } from './queue-deliveries';

/** Concurrent batches of one channel in this process. A send that waits for its receiver holds a socket. */
const PLACES = 60;
const PLACES_PER_CHANNEL = 4;
/** A job that takes longer releases its slot in the job queue; the send continues. */
const JOB_HOLDS_MS = 100;
/** Batches that wait in this process. Further ones are retried later. */
const MOST_IN_LINE = 5_000;
/** After the sender's claim has expired. */
const LOOK_AGAIN_MS = LEASE_MS + 5_000;

/** The deliveries of one channel, or whatever is due for it. */
export type Batch = { ids: string[] } | { channelId: string };

interface Queueing {
  /** Queues the next attempts of failed deliveries. */
  schedule: Schedule;
  /** Queues a retry of the batch, in case this process dies. */
  lookAgain: (runAt: Date) => Promise<void>;
  /** Cancels that retry. */
  spareLook: () => Promise<void>;
  /** Queues a retry of single deliveries claimed by another worker. */
  lookLater: (later: { id: string; runAt: Date }[]) => Promise<void>;
}

const pool = new FairPool({ kind: 'deliver', places: PLACES, perHost: PLACES_PER_CHANNEL });
/** Aborted first: batches that wait for a slot are left to other workers. They poll it, since adding many listeners is quadratic. */
const closing = new AbortController();
/** Aborted later: cancels running sends. */
const stopping = new AbortController();
// Every send adds a listener.
setMaxListeners(0, stopping.signal);
/** Batches that are sent or wait in this process beyond the end of their job. */
const underWay = new Set<Promise<void>>();
const inLine = new Set<string>();

interface Place {
  share: Share;
  channelId: string;
  /** Whether the messages of one channel may be grouped: not those to receivers that keep a copy of each incident, nor tests. */
  isForPeople: boolean;
}

const channelSelect = { id: true, teamId: true, type: true } as const;

async function placeOf(batch: Batch): Promise<Place | null> {
  const delivery =
    'ids' in batch
      ? await db.delivery.findFirst({
          where: { id: { in: batch.ids } },
          select: { event: true, channel: { select: channelSelect } },
        })
      : null;
  const channel =
    'ids' in batch
      ? delivery?.channel
      : await db.channel.findUnique({ where: { id: batch.channelId }, select: channelSelect });
  // It was deleted: nothing is sent.
  if (!channel?.teamId) return null;
  const isForPeople = !channelDefinitionOf(channel.type).mirrorsIncidents && delivery?.event !== 'channel.test';
  const { id: channelId, teamId: team } = channel;
  return { share: { team, host: channelId }, channelId, isForPeople };
}

/** Lets the batch continue after its job, which has queued a retry of it, so a failure here is repeated. */
function goOn(batch: Promise<void>, spareLook: Queueing['spareLook']): void {
  const running = batch
    .then(spareLook)
    .catch((error: unknown) => {
      if (!closing.signal.aborted) log.warn({ err: error }, 'Messages could not be sent; retrying soon');
    })
    .finally(() => underWay.delete(running));
  underWay.add(running);
}

/**
 * Sends a batch of one channel's deliveries in its team's turn. Resolves when they are recorded, or earlier: hanging receivers of one team must not
 * occupy the slots or the job queue. A batch that continues after that is in memory only, so a retry of it is queued first, in case this process
 * dies.
 */
export async function deliverInTurn(batch: Batch, queueing: Queueing, signal: AbortSignal): Promise<void> {
  const { schedule, lookAgain, spareLook, lookLater } = queueing;
  const soon = new Date(Date.now() + LOOK_AGAIN_MS);
  const ids = 'ids' in batch ? batch.ids : null;
  const key = 'ids' in batch ? batch.ids.join(' ') : batch.channelId;
  if (inLine.has(key)) return lookAgain(soon);
  const place = await placeOf(batch);
  if (!place) return;
  const { share, channelId, isForPeople } = place;
  const send = () => withShare(share, attempt);
  const attempt = async () => {
    const stop = AbortSignal.any([stopping.signal, signal]);
    const later =
      isForPeople || ids === null
        ? await attemptGroup(channelId, ids, schedule, stop)
        : await attemptDeliveries(ids, schedule, stop);
    if (later.length > 0) await lookLater(later);
  };
  const sending = pool.tryRun(share, send);
  if (sending) {
    const isDone = await Promise.race([sending.then(() => true), sleep(JOB_HOLDS_MS, false)]);
    if (isDone) return;
    await lookAgain(soon);
    return goOn(sending, spareLook);
  }
  await lookAgain(soon);
  if (inLine.has(key) || pool.waiting >= MOST_IN_LINE) return;
  inLine.add(key);
  const sendLate = async () => {
    closing.signal.throwIfAborted();
    await send();
  };
  const sent = pool.run(share, sendLate).finally(() => inLine.delete(key));
  goOn(sent, spareLook);
}

/** Resolves when every batch that outlasted its job is sent and recorded. */
export async function settleSends(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay);
}

/** Gives running sends `graceMs`, then aborts them. Another worker sends the rest later. */
export async function stopSends(graceMs: number): Promise<void> {
  closing.abort(new Error('The worker stops'));
  const grace = setTimeout(() => stopping.abort(new Error('The worker stops')), graceMs);
  await settleSends();
  clearTimeout(grace);
}
