import type { Db } from '@/server/platform/db';
import { forgetAssignee } from './queries';

/**
 * Takes a former member of a team as assignee from the team's latest incidents, at most `limit`.
 * @returns how many
 */
export function unassignMember(db: Db, member: { teamId: string; userId: string }, limit: number): Promise<number> {
  return forgetAssignee(db, member, limit);
}
