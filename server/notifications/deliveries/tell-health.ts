import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { enqueueMany } from '@/server/platform/jobs';
import type { EventPayload } from '../event';
import { linksOf } from '../links';
import { pagingTypes } from '../providers/definitions';
import type { ChannelHealth } from './channel-health';
import type { HealthRow } from './channel-health-queries';
import { type Created, forwardDeliveries } from './forward-deliveries';
import { holdFallbackWithType } from './forward-queries';
import { mailChannelHealth } from './mail-channel-health';

type Turn = 'failing' | 'recovered';

/** Mails each owner of the team. The mail of a recovery follows only if that of the failure was sent. */
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

/** A message about the channel to its fallback, unless that pages people; once per failing period, by its key. */
async function insertNotice(tx: Tx, channel: HealthRow, turn: Turn, failedAt: Date): Promise<Created[]> {
  const fallback = await holdFallbackWithType(tx, channel.id);
  // A channel that fails is no incident: it pages nobody. The owners are mailed.
  if (fallback === null || pagingTypes.includes(fallback.type)) return [];
  const channelId = fallback.id;
  const eventKey = (of: Turn) => `channel.${of}:${channel.id}:${failedAt.toISOString()}`;
  if (turn === 'recovered') {
    const told = await tx.delivery.findFirst({
      where: { channelId, eventKey: eventKey('failing') },
      select: { id: true },
    });
    if (!told) return [];
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
  return count === 1 ? [{ id: row.id, channelId }] : [];
}

/**
 * Tells of a channel that turned failing, or recovered: one message to the fallback, with what it did not deliver, and one email to each owner of the
 * team. In the transaction that changes its health under the row's lock, so that each turn is told once. A member's own contact method is not told.
 * @returns the deliveries, which the caller queues
 */
export async function tellHealth(tx: Tx, before: HealthRow, after: ChannelHealth): Promise<Created[]> {
  const turn = after.failedAt && !before.failedAt ? 'failing' : before.failedAt && !after.failedAt ? 'recovered' : null;
  const failedAt = after.failedAt ?? before.failedAt;
  if (!turn || !failedAt || before.ownerId !== null) return [];
  await mailOwners(tx, before, turn, failedAt);
  const told = turn === 'failing' ? { ...before, ...after } : before;
  const notice = await insertNotice(tx, told, turn, failedAt);
  return turn === 'failing' ? [...notice, ...(await forwardDeliveries(tx, { channelId: before.id }))] : notice;
}
