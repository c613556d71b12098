import { setMaxListeners } from 'node:events';
import { withShare } from '@/server/platform/database/connection-share';
import { db } from '@/server/platform/db';
import { FairPool, type Share } from '@/server/platform/fair-pool';
import { groupWrites } from '@/server/platform/group-writes';
import { defineJob, enqueueMany } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { claim } from './claim';
import { findDueTeam, LEASE_MS } from './claim-queries';
import { deliverJob } from './queue-queries';
import { sendTurn } from './send';

/**
 * The maximum number of concurrent claims in this process, in total and per channel. Limited because a send that waits for its receiver holds a
 * socket.
 */
const SLOTS = 60;
const SLOTS_PER_CHANNEL = 2;
/** The maximum number of channels that wait in this process. Further ones are retried later. */
const MOST_IN_LINE = 5_000;
/** Long enough for the claims of another sender to expire. */
const RETRY_AFTER_MS = LEASE_MS + 5_000;

/** A channel to send, with the team and channel between which slots are shared fairly. */
interface Sending {
  channelId: string;
  share: Share;
  /** Aborted when the job queue stops. */
  signal: AbortSignal;
}

const pool = new FairPool({ kind: 'deliver', slots: SLOTS, perHost: SLOTS_PER_CHANNEL });
/**
 * Aborted first: a channel that gets a slot afterwards is left to other workers. Channels read the signal instead of listening to it, because adding
 * many listeners takes quadratic time.
 */
const closing = new AbortController();
/** Aborted later: cancels running sends. */
const stopping = new AbortController();
// Every claim adds a listener to this signal.
setMaxListeners(0, stopping.signal);
/** The sends and waits that go on in this process after their jobs have ended. */
const underWay = new Set<Promise<void>>();
/** The channels that `drain` handles: they wait for a slot, or claim more without a job. */
const inLine = new Set<string>();

function continueAfterJob(work: Promise<void>): void {
  const running = work
    .catch((error: unknown) => {
      if (!closing.signal.aborted) log.warn({ err: error }, 'Messages could not be sent; retrying soon');
    })
    .finally(() => underWay.delete(running));
  underWay.add(running);
}

/**
 * Claims due deliveries of a channel, and starts to send them without waiting for the result. Calls `leave`, which frees the slot, once the attempts
 * are recorded, or at once if there is nothing to send.
 * @returns whether more may be due
 */
async function startTurn({ channelId, share, signal }: Sending, leave: () => void): Promise<boolean> {
  const turn = await withShare(share, () => claim(channelId)).catch((error: unknown) => {
    leave();
    throw error;
  });
  if (!turn) {
    leave();
    return false;
  }
  const leaseUntil = turn.claims[0]?.leaseUntil ?? null;
  const options = {
    stop: AbortSignal.any([stopping.signal, signal]),
    notBefore: () => (inLine.has(channelId) ? leaseUntil : null),
  };
  continueAfterJob(withShare(share, () => sendTurn(turn, options)).finally(leave));
  return turn.isMore;
}

/** Claims and sends, in a new slot each time, until nothing more is due or the worker stops. */
async function drain(sending: Sending): Promise<void> {
  let isMore = true;
  while (isMore) {
    const leave = await pool.enter(sending.share);
    if (closing.signal.aborted) {
      leave();
      return;
    }
    isMore = await startTurn(sending, leave);
  }
}

/** Enqueues a later job of a channel, in case this process dies. Groups the writes, because hanging receivers cause hundreds per second. */
const queueLater = groupWrites<{ channelId: string; runAt: Date; priority: number }>(async (waiting) => {
  const items = waiting.map(({ channelId, runAt, priority }) => {
    return [channelId, { payload: { channelId }, jobKey: `deliver-later:${channelId}`, runAt, priority }] as const;
  });
  await enqueueMany(db, deliverMessage, [...new Map(items).values()]);
});

/**
 * Sends the due deliveries of a channel. The job ends as soon as the deliveries are claimed, so that hanging receivers do not occupy the job queue;
 * from then on, the channel's timer retries the claims if this process dies. Slots are shared fairly by team, then by channel. A channel that finds
 * none waits in this process, and a later job is enqueued in case this process dies.
 */
export const deliverMessage = defineJob({
  ...deliverJob,
  // A follow-up job inherits the priority.
  async run({ channelId }, { signal, priority }) {
    const team = await findDueTeam(channelId);
    if (team === null) return;
    const sending: Sending = { channelId, share: { team, host: channelId }, signal };
    for (let leave = pool.tryEnter(sending.share); leave; leave = pool.tryEnter(sending.share)) {
      if (!(await startTurn(sending, leave))) return;
    }
    await queueLater({ channelId, runAt: new Date(Date.now() + RETRY_AFTER_MS), priority });
    if (inLine.has(channelId) || inLine.size >= MOST_IN_LINE) return;
    inLine.add(channelId);
    continueAfterJob(drain(sending).finally(() => inLine.delete(channelId)));
  },
});

/** Resolves when everything that outlasted its job is sent and recorded. */
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
