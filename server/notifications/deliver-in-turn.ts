import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/server/platform/db';
import { FairPool, type Share } from '@/server/platform/fair-pool';
import { log } from '@/server/platform/log';
import { attemptDeliveries } from './attempt-deliveries';
import { LEASE_MS } from './delivery-queries';
import type { Schedule } from './record-attempts';

/** Batches of one channel that are sent at once in this process. A send that waits for its receiver costs a socket. */
const PLACES = 60;
const PLACES_PER_CHANNEL = 4;
/** A job that takes longer leaves its place in the job queue; the send goes on. */
const JOB_HOLDS_MS = 100;
/** Batches that wait in this process. What comes on top is looked at again later. */
const MOST_IN_LINE = 5_000;
/** Beyond the claim of whoever sends it. */
const LOOK_AGAIN_MS = LEASE_MS + 5_000;

interface Queueing {
  /** Queues the next attempts of what failed. */
  schedule: Schedule;
  /** Queues another look at the batch, for the case that this process dies. */
  lookAgain: (runAt: Date) => Promise<void>;
  /** Takes that back. */
  spareLook: () => Promise<void>;
  /** Queues another look at single deliveries that somebody else is sending. */
  lookLater: (later: { id: string; runAt: Date }[]) => Promise<void>;
}

const pool = new FairPool({ kind: 'deliver', places: PLACES, perHost: PLACES_PER_CHANNEL });
/** Aborted first: batches that wait for a place are left to other workers. They read it instead of listening, which is quadratic. */
const closing = new AbortController();
/** Aborted later: ends what is being sent. */
const stopping = new AbortController();
// Every send listens.
setMaxListeners(0, stopping.signal);
/** Batches that are sent or wait in this process beyond the end of their job. */
const underWay = new Set<Promise<void>>();
const inLine = new Set<string>();

async function shareOf(ids: string[]): Promise<Share | null> {
  const found = await db.delivery.findFirst({ where: { id: { in: ids } }, select: { teamId: true, channelId: true } });
  return found && { team: found.teamId, host: found.channelId };
}

/** Lets the batch go on after its job, which has queued another look at it: that repeats what fails here. */
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
 * Sends a batch of one channel's deliveries when it is its team's turn. Resolves when they are recorded, or before: hanging
 * receivers of one team keep neither the places to send from nor the job queue from other teams. A batch that goes on
 * after that is in memory alone, so another look at it is queued first, for the case that this process dies.
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

/** Gives what is being sent `graceMs`, then aborts it. What was not sent is sent later by another worker. */
export async function stopSends(graceMs: number): Promise<void> {
  closing.abort(new Error('The worker stops'));
  const grace = setTimeout(() => stopping.abort(new Error('The worker stops')), graceMs);
  await settleSends();
  clearTimeout(grace);
}
