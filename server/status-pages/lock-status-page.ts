import type { Tx } from '@/server/platform/db';
import { statusPageNotFound } from './queries';

/**
 * Holds a status page of the team until the transaction ends.
 * @throws AppError NOT_FOUND
 */
export async function lockStatusPage(tx: Tx, teamId: string, id: string): Promise<{ logoKey: string | null }> {
  const [row] = await tx.$queryRaw<{ logoKey: string | null }[]>`
    select logo_key as "logoKey" from status_pages where id = ${id} and team_id = ${teamId} for update`;
  if (!row) throw statusPageNotFound();
  return row;
}
