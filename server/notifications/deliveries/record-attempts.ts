import { z } from 'zod';
import { db, type Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockForwarding } from '@/server/platform/locks';
import { countDelivery, observeTimeToMessage } from '@/server/platform/metrics/delivery-counts';
import { EventData } from '../messages/event';
import type { SendResult } from '../providers/provider';
import { afterOutcomes, type Outcome } from './channel-health';
import { type HealthRow, lockHealth, writeHealth } from './channel-health-queries';
import { type Claim, type Destination, type Release, releaseGroup } from './claim-queries';
import { forwardDeliveries } from './forward-deliveries';
import { notifyHealthChange } from './notify-health-change';
import { queueChannels } from './queue-queries';
import { type AttemptRow, type ExchangeRow, writeAttempts, writeExchanges } from './record-queries';
import { channelPause, retryDelay } from './retry-delay';
import { queueReview } from './review-job';
import { queueSettled } from './settle-job';

const Opened = z.object({ data: EventData });

/** An attempt and its result. */
export interface Attempted {
  claim: Claim;
  durationMs: number;
  result: SendResult;
}

interface Made {
  attempted: Attempted;
  row: AttemptRow;
}

function toRow({ claim, durationMs, result }: Attempted, random: number, exchangeId: string | null): AttemptRow {
  const { id, at, leaseUntil, event, attempts } = claim;
  const isTest = event === 'channel.test';
  const delay = result.ok || isTest ? null : retryDelay(attempts + 1, result, random);
  const nextAttemptAt = delay === null ? null : new Date(at.getTime() + durationMs + Math.round(delay * 1000));
  const status = result.ok ? 'delivered' : nextAttemptAt ? 'pending' : 'failed';
  const { ok, statusCode } = result;
  const error = result.ok ? null : result.error;
  return {
    ok,
    id,
    attemptId: newId(),
    at,
    leaseUntil,
    durationMs,
    status,
    statusCode,
    error,
    nextAttemptAt,
    exchangeId,
  };
}

/** Returns the requests and answers to store. Deliveries that were sent as one message share one. */
function toExchanges(channelId: string, attempted: Attempted[]): Map<unknown, ExchangeRow> {
  const rows = attempted.flatMap(({ result: { exchange } }) =>
    exchange ? [[exchange, { id: newId(), channelId, exchange }] as const] : [],
  );
  return new Map(rows);
}

const endOf = ({ at, durationMs }: AttemptRow) => new Date(at.getTime() + durationMs);

/** Returns the end of the pause that the receiver asked for, or null if it asked for none. */
function pauseUntil(result: SendResult, row: AttemptRow): Date | null {
  const seconds = result.ok ? 0 : channelPause(result.retryAfterSeconds);
  return seconds > 0 ? new Date(endOf(row).getTime() + seconds * 1000) : null;
}

/**
 * Returns the outcome of an attempt for the channel's health. Empty for a failed test, because the user sees the result, and for a failure whose
 * claim had expired.
 */
function outcomesOf({ claim, result }: Attempted, row: AttemptRow, isCurrent: boolean): Outcome[] {
  if (!result.ok && (claim.event === 'channel.test' || !isCurrent)) return [];
  const isFirst = claim.attempts === 0;
  return [{ at: endOf(row), error: row.error, isFirst, isFinal: row.nextAttemptAt === null }];
}

/**
 * Updates the health of the locked channel, notifies of a change, and forwards failed deliveries if the channel is marked as failing.
 * @param changed the deliveries whose claim was still valid
 * @returns the channels with new deliveries, which the caller queues
 */
async function recordHealth(
  tx: Tx,
  channel: HealthRow,
  { made, changed }: { made: Made[]; changed: Set<string> },
): Promise<string[]> {
  const outcomes = made.flatMap((each) => outcomesOf(each.attempted, each.row, changed.has(each.row.id)));
  const pauses = made.flatMap((each) => pauseUntil(each.attempted.result, each.row) ?? []);
  const retryAfter = pauses.toSorted((one, other) => other.getTime() - one.getTime())[0];
  const health = afterOutcomes(channel, outcomes);
  if (health === channel && !retryAfter) return [];
  await writeHealth(tx, channel.id, health, retryAfter);
  const { failingSince } = health;
  if (failingSince && !channel.failingSince) await queueReview(tx, channel.id, health, failingSince);
  const notified = await notifyHealthChange(tx, channel, health);
  if (!channel.failedAt || !health.failedAt) return notified;
  // Deliveries to a failing channel are forwarded when they are created. These were created just before the channel was marked as failing.
  const failed = made.filter(({ row }) => !row.ok && changed.has(row.id)).map(({ row }) => row.id);
  return [...notified, ...(await forwardDeliveries(tx, { ids: failed }))];
}

/** Updates the metrics: the deliveries that these attempts completed, and the time from the first failing check to the first accepted message. */
function count(made: Made[], changed: Set<string>): void {
  for (const { attempted, row } of made) {
    if (!changed.has(row.id) || row.status === 'pending') continue;
    countDelivery(row.status);
    const { event, isPrompt, payload } = attempted.claim;
    if (row.status !== 'delivered' || event !== 'incident.opened' || !isPrompt) continue;
    const { data } = Opened.safeParse(payload);
    const incident = data?.data.incident;
    // A user chose the start of a manual incident, so it measures nothing.
    if (!incident || incident.type === 'manual') continue;
    observeTimeToMessage(endOf(row).getTime() - Date.parse(incident.startedAt));
  }
}

/** What follows the record of attempts. */
export interface FollowUp {
  /** The channel's next job does not run before this time, because its sender claims more by itself. */
  notBefore: Date | null;
  /** Ends the claim of a group. */
  release?: Release;
}

/**
 * Records attempts of a channel in one transaction: schedules retries, makes deliveries behind final ones due, updates the channel's health and
 * notifies of a change, and queues the escalation steps that wait for the outcome. A sender whose claim has expired still records an accepted
 * message, but leaves the rest to the next sender.
 */
export async function recordAttempts(
  { channelId, teamId }: Pick<Destination, 'channelId' | 'teamId'>,
  attempted: Attempted[],
  { notBefore, release }: FollowUp,
): Promise<void> {
  // One jitter for all deliveries, so that a group is retried together.
  const random = Math.random();
  const exchanges = toExchanges(channelId, attempted);
  const made = attempted.map((each) => {
    return { attempted: each, row: toRow(each, random, exchanges.get(each.result.exchange)?.id ?? null) };
  });
  const completed = await db.$transaction(async (tx) => {
    if (attempted.some(({ result }) => !result.ok)) await lockForwarding(tx, [channelId]);
    const channel = await lockHealth(tx, channelId);
    // Deleted meanwhile, and its deliveries with it.
    if (!channel) return new Set<string>();
    await writeExchanges(tx, [...exchanges.values()]);
    const changed = await writeAttempts(
      tx,
      channelId,
      made.map(({ row }) => row),
    );
    if (release) await releaseGroup(tx, channelId, release);
    await queueChannels(tx, await recordHealth(tx, channel, { made, changed }), 'now');
    await queueChannels(tx, [channelId], { notBefore });
    const isSettled = ({ attempted: { claim }, row }: Made) =>
      claim.event === 'incident.escalated' && row.nextAttemptAt === null && changed.has(claim.id);
    await queueSettled(
      tx,
      made.filter(isSettled).map(({ row }) => row.id),
    );
    await notify(tx, { team: teamId, kind: 'channel', ids: [channelId] });
    return changed;
  });
  count(made, completed);
}
