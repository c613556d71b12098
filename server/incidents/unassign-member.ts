import type { Db } from '@/server/platform/db';
import { forgetAssignee } from './queries';

/**
 * Removes a former member of a team as the assignee of the team's latest incidents, at most `limit`.
 * @returns the number of changed incidents
 */
export function unassignMember(db: Db, member: { teamId: string; userId: string }, limit: number): Promise<number> {
  return forgetAssignee(db, member, limit);
}
