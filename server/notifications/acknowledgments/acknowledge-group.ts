import type { Db } from '@/server/platform/db';
import type { Opening } from './acknowledge-link';

/** The incidents that the acknowledge link and button of one message cover. */
export interface AcknowledgeGroup {
  /** The message's ID. It stays the same when the message is sent again. */
  id: string;
  channelId: string;
  openings: Opening[];
}

/** Stores the incidents of a message before it is sent. If the message is sent again, only updates the time. */
export async function storeAcknowledgeGroup(db: Db, { id, channelId, openings }: AcknowledgeGroup): Promise<void> {
  const sentAt = new Date();
  const create = {
    id,
    channelId,
    sentAt,
    incidentIds: openings.map(({ incidentId }) => incidentId),
    openings: openings.map(({ opening }) => opening),
  };
  await db.acknowledgeGroup.upsert({ where: { id }, create, update: { sentAt } });
}

/** Returns the incidents of a message and the channel that it was sent to, or null for an unknown ID. */
export async function findAcknowledgeGroup(db: Db, id: string): Promise<AcknowledgeGroup | null> {
  const row = await db.acknowledgeGroup.findUnique({ where: { id } });
  if (!row) return null;
  const openings = row.incidentIds.map((incidentId, index) => ({ incidentId, opening: row.openings[index] ?? 0 }));
  return { id, channelId: row.channelId, openings };
}
