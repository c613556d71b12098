import { deleteExpired } from './queries';

/**
 * Deletes at most `limit` entries of the audit log that are older than their team's plan keeps them. An entry without a
 * team, such as that of a forced deletion, is the only record of what it tells and stays for good.
 */
export async function deleteExpiredEntries(limit: number): Promise<{ count: number }> {
  return { count: await deleteExpired(limit) };
}
