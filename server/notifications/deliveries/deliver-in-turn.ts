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

/** Concurrent batches in this process, in total and per channel. A send that waits for its receiver holds a socket. */
const PLACES = 60;
const PLACES_PER_CHANNEL = 4;
/** A job that takes longer ends and frees its slot in the job queue; the send continues. */
const JOB_HOLDS_MS = 100;
/** The maximum number of batches that wait in this process. Further ones are retried later. */
const MOST_IN_LINE = 5_000;
/** Long enough for the sender's claim to expire. */
const RETRY_AFTER_MS = LEASE_MS + 5_000;

/** Certain deliveries of one channel, or whatever is due for it. */
export type Batch = { ids: string[] } | { channelId: string };

interface Queueing {
  /** Queues the next attempts of failed deliveries. */
  schedule: Schedule;
  /** Queues a retry of the batch, in case this process dies. */
  queueRetry: (runAt: Date) => Promise<void>;
  /** Cancels that retry. */
  cancelRetry: () => Promise<void>;
  /** Queues a retry of single deliveries claimed by another worker. */
  queueLater: (later: { id: string; runAt: Date }[]) => Promise<void>;
}

const pool = new FairPool({ kind: 'deliver', places: PLACES, perHost: PLACES_PER_CHANNEL });
/** Aborted first: batches that wait for a slot are left to other workers. They poll the signal, because adding many listeners takes quadratic time. */
const closing = new AbortController();
/** Aborted later: cancels running sends. */
const stopping = new AbortController();
// Every send adds a listener to this signal.
setMaxListeners(0, stopping.signal);
/** Batches that are sent or wait in this process after their job has ended. */
const underWay = new Set<Promise<void>>();
const inLine = new Set<string>();

interface Place {
  share: Share;
  channelId: string;
  /** Whether messages may be grouped: not for receivers that keep a copy of each incident, nor for tests. */
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
  // The channel was deleted, so nothing is sent.
  if (!channel?.teamId) return null;
  const isForPeople = !channelDefinitionOf(channel.type).mirrorsIncidents && delivery?.event !== 'channel.test';
  const { id: channelId, teamId: team } = channel;
  return { share: { team, host: channelId }, channelId, isForPeople };
}

/** Lets the batch continue after its job. The job has queued a retry of the batch, which repeats it if it fails here. */
function continueAfterJob(batch: Promise<void>, cancelRetry: Queueing['cancelRetry']): void {
  const running = batch
    .then(cancelRetry)
    .catch((error: unknown) => {
      if (!closing.signal.aborted) log.warn({ err: error }, 'Messages could not be sent; retrying soon');
    })
    .finally(() => underWay.delete(running));
  underWay.add(running);
}

/**
 * Sends a batch of one channel's deliveries when it is its team's turn. Resolves when the attempts are recorded, or earlier, so that hanging
 * receivers of one team do not occupy the job queue. A batch that continues afterwards exists only in memory; a retry of it is queued first, in
 * case this process dies.
 */
export async function deliverInTurn(batch: Batch, queueing: Queueing, signal: AbortSignal): Promise<void> {
  const { schedule, queueRetry, cancelRetry, queueLater } = queueing;
  const soon = new Date(Date.now() + RETRY_AFTER_MS);
  const ids = 'ids' in batch ? batch.ids : null;
  const key = 'ids' in batch ? batch.ids.join(' ') : batch.channelId;
  if (inLine.has(key)) return queueRetry(soon);
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
    if (later.length > 0) await queueLater(later);
  };
  const sending = pool.tryRun(share, send);
  if (sending) {
    const isDone = await Promise.race([sending.then(() => true), sleep(JOB_HOLDS_MS, false)]);
    if (isDone) return;
    await queueRetry(soon);
    return continueAfterJob(sending, cancelRetry);
  }
  await queueRetry(soon);
  if (inLine.has(key) || pool.waiting >= MOST_IN_LINE) return;
  inLine.add(key);
  const sendLate = async () => {
    closing.signal.throwIfAborted();
    await send();
  };
  const sent = pool.run(share, sendLate).finally(() => inLine.delete(key));
  continueAfterJob(sent, cancelRetry);
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
