import type { Tx } from '@/server/platform/db';
import { holdDestinations, lockForwarding } from '@/server/platform/locks';
import type { NotifiableEvent } from '../messages/event';
import { findTargets, insertDeliveries } from './create-queries';
import { forwardDeliveries } from './forward-deliveries';
import { queueChannels } from './queue-queries';

/**
 * Inserts one delivery per event and notified channel, forwards those to failing channels, and queues the sends, all in the caller's transaction:
 * messages are sent when it commits, and a rollback removes them. The caller locks the incident's row, so that its deliveries are numbered in the
 * order of its events (FIFO).
 */
export async function createDeliveries(tx: Tx, events: NotifiableEvent[]): Promise<void> {
  if (events.length === 0) return;
  const targets = await findTargets(tx, events);
  if (targets.length === 0) return;
  const failing = new Set(targets.flatMap(({ channelId, isFailing }) => (isFailing ? [channelId] : [])));
  await lockForwarding(tx, [...failing]);
  const created = await insertDeliveries(tx, events, targets);
  const ids = created.filter(({ channelId }) => failing.has(channelId)).map(({ id }) => id);
  const reached = [...created.map(({ channelId }) => channelId), ...(await forwardDeliveries(tx, { ids }))];
  await queueChannels(tx, [...new Set(reached)], 'now');
}

/**
 * Inserts one delivery per event for the channel or contact method that the event names, and queues the sends like `createDeliveries`. Skips
 * channels that were deleted meanwhile.
 */
export async function createDeliveriesTo(tx: Tx, events: (NotifiableEvent & { channelId: string })[]): Promise<void> {
  const held = await holdDestinations(
    tx,
    events.map(({ channelId }) => channelId),
  );
  const targets = events.flatMap(({ channelId }, index) =>
    held.has(channelId) ? [{ position: index + 1, channelId }] : [],
  );
  if (targets.length === 0) return;
  const created = await insertDeliveries(tx, events, targets);
  await queueChannels(tx, [...new Set(created.map(({ channelId }) => channelId))], 'now');
}
