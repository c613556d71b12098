import { db } from '@/server/platform/db';
import { deleteUnused } from './recipient-queries';

/** Deletes at most `limit` confirmations that are older than `before` and that no channel and no member of their team uses. */
export async function deleteUnusedRecipients(before: Date, limit: number): Promise<{ count: number }> {
  return { count: await deleteUnused(db, before, limit) };
}
