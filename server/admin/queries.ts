import { db, type Tx } from '@/server/platform/db';

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

/** Deletes what checks of these teams saw that no verdict has counted yet. */
export async function deleteWaitingAttempts(tx: Tx, teamIds: string[]): Promise<void> {
  // Raw: an attempt refers to no monitor.
  await tx.$executeRaw`
    delete from check_attempts attempt using monitors monitor
    where attempt.monitor_id = monitor.id and monitor.team_id = any(${teamIds}::text[]) and attempt.evidence_id is null`;
}
