import { deleteExpired } from './queries';

/**
 * Deletes at most `limit` audit entries past the retention of their team's plan. An entry without a team, such as that of a force delete, is the only
 * record of its event and is kept forever.
 */
export async function deleteExpiredEntries(limit: number): Promise<{ count: number }> {
  return { count: await deleteExpired(limit) };
}
