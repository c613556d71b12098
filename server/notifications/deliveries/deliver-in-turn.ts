import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/server/platform/db';
import { FairPool, type Share } from '@/server/platform/fair-pool';
import { log } from '@/server/platform/log';
import { attemptDeliveries } from './attempt-deliveries';
import { LEASE_MS } from './delivery-queries';
import type { Schedule } from './record-attempts';

/** Concurrent batches of one channel in this process. A send that waits for its receiver holds a socket. */
const PLACES = 60;
const PLACES_PER_CHANNEL = 4;
/** A job that takes longer releases its slot in the job queue; the send continues. */
const JOB_HOLDS_MS = 100;
/** Batches that wait in this process. Further ones are retried later. */
const MOST_IN_LINE = 5_000;
/** After the sender's claim has expired. */
const LOOK_AGAIN_MS = LEASE_MS + 5_000;

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

async function shareOf(ids: string[]): Promise<Share | null> {
  const found = await db.delivery.findFirst({ where: { id: { in: ids } }, select: { teamId: true, channelId: true } });
  return found && { team: found.teamId, host: found.channelId };
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
export async function deliverInTurn(
  ids: string[],
  { schedule, lookAgain, spareLook, lookLater }: Queueing,
  signal: AbortSignal,
): Promise<void> {
  const soon = new Date(Date.now() + LOOK_AGAIN_MS);
  const batch = ids.join(' ');
  if (inLine.has(batch)) return lookAgain(soon);
  const share = await shareOf(ids);
  if (!share) return;
  const send = async () => {
    const later = await attemptDeliveries(ids, schedule, AbortSignal.any([stopping.signal, signal]));
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
  if (inLine.has(batch) || pool.waiting >= MOST_IN_LINE) return;
  inLine.add(batch);
  const sendLate = async () => {
    closing.signal.throwIfAborted();
    await send();
  };
  const sent = pool.run(share, sendLate).finally(() => inLine.delete(batch));
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
