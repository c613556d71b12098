import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { enqueueMany } from '@/server/platform/jobs';
import type { EventPayload } from '../messages/event';
import { linksOf } from '../messages/links';
import { pagingTypes } from '../providers/definitions';
import type { ChannelHealth } from './channel-health';
import type { HealthRow } from './channel-health-queries';
import { forwardDeliveries } from './forward-deliveries';
import { holdFallback } from './forward-queries';
import { mailChannelHealth } from './mail-channel-health';

type Turn = 'failing' | 'recovered';

/** Enqueues an email to each owner of the team. A recovery is only mailed if the failure was. */
async function mailOwners(tx: Tx, channel: HealthRow, turn: Turn, failedAt: Date): Promise<void> {
  const { id: channelId, teamId, ownersNotifiedAt } = channel;
  if (turn === 'recovered' && (!ownersNotifiedAt || ownersNotifiedAt < failedAt)) return;
  const owners = await tx.membership.findMany({ where: { teamId, role: 'owner' }, select: { userId: true } });
  const about = { channelId, turn, failedAt: failedAt.toISOString() };
  await enqueueMany(
    tx,
    mailChannelHealth,
    owners.map(({ userId }) => {
      return { payload: { id: newId(), userId, ...about }, jobKey: `channel-health:${channelId}:${userId}:${turn}` };
    }),
  );
}

/**
 * Inserts a delivery to the channel's fallback that says that the channel fails or recovered, once each per failing period. Inserts none if the
 * fallback pages people, or for a recovery whose failure was not notified there.
 * @returns the ID of the fallback if a delivery was inserted
 */
async function insertNotice(tx: Tx, channel: HealthRow, turn: Turn, failedAt: Date): Promise<string[]> {
  const fallback = await holdFallback(tx, channel.id);
  // A failing channel is not an incident, so it pages nobody. The owners are mailed instead.
  if (fallback === null || pagingTypes.includes(fallback.type)) return [];
  const channelId = fallback.id;
  const eventKey = (of: Turn) => `channel.${of}:${channel.id}:${failedAt.toISOString()}`;
  if (turn === 'recovered') {
    const notified = await tx.delivery.findFirst({
      where: { channelId, eventKey: eventKey('failing') },
      select: { id: true },
    });
    if (!notified) return [];
  }
  const { id, type, name, failingSince, lastError } = channel;
  const subject = { incident: null, monitor: null };
  const payload: EventPayload = {
    type: `channel.${turn}`,
    timestamp: new Date().toISOString(),
    data: {
      ...subject,
      channel: { id, type, name },
      links: linksOf(subject),
      ...(failingSince && { failingSince: failingSince.toISOString() }),
      ...(lastError !== null && { error: lastError }),
    },
  };
  const row = { id: newId(), teamId: channel.teamId, channelId, event: payload.type, eventKey: eventKey(turn) };
  const data = { ...row, payload: payload as object, nextAttemptAt: new Date(0) };
  const { count } = await tx.delivery.createMany({ data: [data], skipDuplicates: true });
  return count === 1 ? [channelId] : [];
}

/**
 * Notifies of a channel that began to fail, or recovered: one message to the fallback, followed by the undelivered messages, and one email to each
 * owner of the team. Runs in the transaction that changes the channel's health under its row lock, so that each change is notified once. Contact
 * methods are skipped.
 * @returns the channels with new deliveries, which the caller queues
 */
export async function notifyHealthChange(tx: Tx, before: HealthRow, after: ChannelHealth): Promise<string[]> {
  const turn = after.failedAt && !before.failedAt ? 'failing' : before.failedAt && !after.failedAt ? 'recovered' : null;
  const failedAt = after.failedAt ?? before.failedAt;
  if (!turn || !failedAt || before.ownerId !== null) return [];
  await mailOwners(tx, before, turn, failedAt);
  const channel = turn === 'failing' ? { ...before, ...after } : before;
  const notice = await insertNotice(tx, channel, turn, failedAt);
  if (turn !== 'failing') return notice;
  return [...new Set([...notice, ...(await forwardDeliveries(tx, { channelId: before.id }))])];
}
