import { replanEscalations } from '@/server/incidents/escalations/replan-escalations';
import type { Tx } from '@/server/platform/db';
import { correctMaintenanceLines } from './correct-lines';
import { notePausedChecks } from './note-paused-checks';
import { refreshStates } from './period-queries';

/** A monitor's own state, which the caller has locked. */
interface LockedState {
  teamId: string;
  monitorId: string;
  plannedUntil: Date | null;
}

/**
 * Writes the next edges into the states whose edges are complete only until now or earlier.
 * @returns whether there were such states
 */
export async function replanOverdue(tx: Tx, states: LockedState[], now: Date): Promise<boolean> {
  const teams = new Map<string, string[]>();
  for (const { teamId, monitorId, plannedUntil } of states) {
    if (plannedUntil && plannedUntil <= now) teams.set(teamId, [...(teams.get(teamId) ?? []), monitorId]);
  }
  for (const [teamId, ids] of teams) await replan(tx, teamId, ids, now);
  return teams.size > 0;
}

/**
 * Writes the edges of the planned periods into the states of these monitors, and updates what waits for the end of maintenance: paused checks, held
 * incidents, their timelines, and escalations. The only place where a monitor's maintenance edges change. The caller has locked the states.
 */
export async function replan(tx: Tx, teamId: string, monitorIds: string[], now: Date): Promise<void> {
  const changed = await refreshStates(tx, teamId, monitorIds, now);
  if (changed.length === 0) return;
  await notePausedChecks(tx, changed, now);
  await correctMaintenanceLines(tx, teamId, changed);
  await replanEscalations(tx, teamId, { monitorId: { in: changed } }, now);
}
