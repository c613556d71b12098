import type { Tx } from '@/server/platform/db';
import { queueDeliveries } from './deliver-message';
import { findTargets, insertDeliveries } from './delivery-queries';
import type { EventData } from './event';
import type { EventType } from './schema';

export interface NotifiableEvent {
  teamId: string;
  /** The monitor whose choice of channels counts; without one, every channel of the team hears of it. */
  monitorId?: string;
  incidentId: string;
  event: Exclude<EventType, 'channel.test'>;
  /** Names the event: a channel gets one message for it, however often it is announced. */
  eventKey: string;
  data: EventData;
}

/**
 * Writes one delivery per event and channel that hears of it, and queues their sending, in the caller's transaction:
 * the messages go out when it commits and do not exist when it rolls back. Four statements for any number of events.
 * A message goes after what the channel was told of the incident before; the caller holds the incident's row, so that
 * its events come one by one.
 */
export async function createDeliveries(tx: Tx, events: NotifiableEvent[]): Promise<void> {
  if (events.length === 0) return;
  const targets = await findTargets(tx, events);
  if (targets.length === 0) return;
  await queueDeliveries(tx, await insertDeliveries(tx, events, targets));
}
