import type { Db } from '@/server/platform/db';
import type { Opening } from './acknowledge-link';

/** The incidents of a message that its link and its button acknowledge. */
export interface AcknowledgeGroup {
  /** The message's ID, the same when it is sent again. */
  id: string;
  channelId: string;
  openings: Opening[];
}

/** Stores the incidents of a message before it is sent. */
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

/** The incidents of a message, and the channel that it was sent to; null for an unknown one. */
export async function findAcknowledgeGroup(db: Db, id: string): Promise<AcknowledgeGroup | null> {
  const row = await db.acknowledgeGroup.findUnique({ where: { id } });
  if (!row) return null;
  const openings = row.incidentIds.map((incidentId, index) => ({ incidentId, opening: row.openings[index] ?? 0 }));
  return { id, channelId: row.channelId, openings };
}
