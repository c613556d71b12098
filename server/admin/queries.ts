import { db, type Tx } from '@/server/platform/db';
import type { LeftObject } from './remove-rows';

/** Records the outcome of a deletion step in its audit entry. A completed step stays completed, whichever of two runs ends last. */
export async function noteStep(
  { entryId: id, step }: { entryId: string; step: string },
  outcome: Record<string, string>,
): Promise<void> {
  // Raw: only SQL updates a part of a JSON value and counts the attempts in one statement.
  await db.$executeRaw`
    update audit_entries
    set after = jsonb_set(after, array['steps', ${step}],
      ${JSON.stringify({ ...outcome, at: new Date().toISOString() })}::jsonb
      || jsonb_build_object('attempts', coalesce((after->'steps'->${step}->>'attempts')::int, 0) + 1))
    where id = ${id} and after->'steps'->${step}->>'status' <> 'done'`;
}

/** Deletes the check attempts of these teams that no verdict has counted yet. */
export async function deleteWaitingAttempts(tx: Tx, teamIds: string[]): Promise<void> {
  // Raw: attempts have no relation to monitors.
  await tx.$executeRaw`
    delete from check_attempts attempt using monitors monitor
    where attempt.monitor_id = monitor.id and monitor.team_id = any(${teamIds}::text[]) and attempt.evidence_id is null`;
}

/**
 * Returns the components, members and sessions that this transaction has deleted. May include others that were deleted in the millisecond of its
 * start.
 */
export function readDeletedObjects(tx: Tx): Promise<LeftObject[]> {
  // Raw: compares with the start of the transaction by the database's clock.
  return tx.$queryRaw`select kind, id, team_id as "teamId" from deleted_objects where deleted_at = now()::timestamptz(3)`;
}
