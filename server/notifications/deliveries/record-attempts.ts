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
import {
  type AttemptRow,
  type DeliveryClaim,
  type ExchangeRow,
  writeAttempts,
  writeExchanges,
} from './delivery-queries';
import { type Created, forwardDeliveries } from './forward-deliveries';
import { notifyHealthChange } from './notify-health-change';
import { queueDeliveries, type Schedule } from './queue-deliveries';
import { channelPause, retryDelay } from './retry-delay';
import { queueReview } from './review-job';
import { queueSettled } from './settle-job';

const Opened = z.object({ data: EventData });

/** An attempt and its result. */
export interface Attempted {
  claim: DeliveryClaim;
  durationMs: number;
  result: SendResult;
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

/** The requests and answers to store. Deliveries that were sent as one message share one. */
function toExchanges(attempted: Attempted[]): Map<unknown, ExchangeRow> {
  const rows = attempted.flatMap(({ claim: { channelId }, result: { exchange } }) =>
    exchange ? [[exchange, { id: newId(), channelId, exchange }] as const] : [],
  );
  return new Map(rows);
}

const endOf = ({ at, durationMs }: AttemptRow) => new Date(at.getTime() + durationMs);

/** Locks the channels whose health these attempts may change, after the forwarding locks of failed ones. Both precede deliveries in the lock order. */
async function lockChannels(tx: Tx, attempted: Attempted[]): Promise<HealthRow[]> {
  const ids = (ok: boolean) => attempted.filter(({ result }) => result.ok === ok).map(({ claim }) => claim.channelId);
  await lockForwarding(tx, ids(false));
  return lockHealth(tx, { failed: ids(false), accepted: ids(true) });
}

/** Until when the receiver asked for a pause. */
function pauseUntil(result: SendResult, row: AttemptRow): Date | null {
  const seconds = result.ok ? 0 : channelPause(result.retryAfterSeconds);
  return seconds > 0 ? new Date(endOf(row).getTime() + seconds * 1000) : null;
}

/** A failed test does not affect the channel's health: the user sees the result, and it is not retried. */
function outcomesOf({ claim, result }: Attempted, row: AttemptRow, isCurrent: boolean): Outcome[] {
  if (!result.ok && (claim.event === 'channel.test' || !isCurrent)) return [];
  const isFirst = claim.attempts === 0;
  return [{ at: endOf(row), error: row.error, isFirst, isFinal: row.nextAttemptAt === null }];
}

/**
 * Updates the health of the locked channels. `changed` are the deliveries whose claim was still valid.
 * @returns new deliveries to the fallbacks of failing channels
 */
async function recordHealth(
  tx: Tx,
  channels: HealthRow[],
  attempted: { attempted: Attempted; row: AttemptRow }[],
  changed: Set<string>,
): Promise<Created[]> {
  const created: Created[] = [];
  for (const channel of channels) {
    const own = attempted.filter((each) => each.attempted.claim.channelId === channel.id);
    const outcomes = own.flatMap((each) => outcomesOf(each.attempted, each.row, changed.has(each.row.id)));
    const pauses = own.flatMap((each) => pauseUntil(each.attempted.result, each.row) ?? []);
    const retryAfter = pauses.toSorted((one, other) => other.getTime() - one.getTime())[0];
    if (outcomes.length === 0 && !retryAfter) continue;
    const health = afterOutcomes(channel, outcomes);
    await writeHealth(tx, channel.id, health, retryAfter);
    const { failingSince } = health;
    if (failingSince && !channel.failingSince) await queueReview(tx, channel.id, health, failingSince);
    created.push(...(await notifyHealthChange(tx, channel, health)));
    if (!channel.failedAt || !health.failedAt) continue;
    // Deliveries to a failing channel are forwarded when they are created. These were created just before the channel was marked as failing.
    const failed = own.filter(({ row }) => !row.ok && changed.has(row.id)).map(({ row }) => row.id);
    created.push(...(await forwardDeliveries(tx, { ids: failed })));
  }
  return created;
}

/**
 * Finds the deliveries that wait for these, while their rows are locked. A delivery that is not visible yet finds its predecessor final in its own
 * job.
 */
function findReleased(tx: Tx, done: string[]): Promise<{ id: string }[]> {
  return tx.delivery.findMany({ where: { afterId: { in: done }, status: 'pending' }, select: { id: true } });
}

/** The live events of these attempts: channels by team. */
function channelsByTeam(attempted: Attempted[]): Map<string, Set<string>> {
  const teams = new Map<string, Set<string>>();
  for (const { teamId, channelId } of attempted.map(({ claim }) => claim)) {
    teams.set(teamId, (teams.get(teamId) ?? new Set()).add(channelId));
  }
  return teams;
}

/** Updates the metrics: the deliveries that these attempts completed, and the time from the first failing check to the first accepted message. */
function count(made: { attempted: Attempted; row: AttemptRow }[], changed: Set<string>): void {
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

/**
 * Records attempts and their follow-ups in one transaction: the next attempt, the first attempt of a successor, and the steps of escalations that
 * wait for the outcome. A sender whose claim has expired still records an accepted message, but leaves the rest to the next sender.
 */
export async function recordAttempts(attempted: Attempted[], schedule: Schedule): Promise<void> {
  // One jitter for all deliveries, so that a group is retried together.
  const random = Math.random();
  const exchanges = toExchanges(attempted);
  const made = attempted.map((each) => {
    return { attempted: each, row: toRow(each, random, exchanges.get(each.result.exchange)?.id ?? null) };
  });
  const rows = made.map(({ row }) => row);
  const completed = await db.$transaction(async (tx) => {
    const channels = await lockChannels(tx, attempted);
    await writeExchanges(tx, [...exchanges.values()]);
    const changed = await writeAttempts(tx, rows);
    const forwarded = await recordHealth(tx, channels, made, changed);
    const next: { id: string; runAt: Date }[] = [];
    const done: string[] = [];
    for (const { id, nextAttemptAt } of rows) {
      if (!changed.has(id)) continue;
      if (nextAttemptAt) next.push({ id, runAt: nextAttemptAt });
      else done.push(id);
    }
    const released = done.length > 0 ? await findReleased(tx, done) : [];
    const now = rows[0]?.at ?? new Date();
    next.push(...released.map(({ id }) => ({ id, runAt: now })));
    await queueDeliveries(tx, forwarded);
    if (next.length > 0) await schedule(tx, next);
    const escalated = new Set(
      made.flatMap(({ attempted: { claim } }) => (claim.event === 'incident.escalated' ? claim.id : [])),
    );
    await queueSettled(
      tx,
      done.filter((id) => escalated.has(id)),
    );
    for (const [team, ids] of channelsByTeam(attempted)) await notify(tx, { team, kind: 'channel', ids: [...ids] });
    return changed;
  });
  count(made, completed);
}
