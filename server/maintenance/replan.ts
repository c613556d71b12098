import { replanEscalations } from '@/server/incidents/escalations/replan-escalations';
import type { Tx } from '@/server/platform/db';
import { notePausedChecks } from './note-paused-checks';
import { refreshStates } from './period-queries';

/** A monitor's own state, locked. */
interface LockedState {
  teamId: string;
  monitorId: string;
  plannedUntil: Date | null;
}

/**
 * Gives those of these monitors their next edges whose edges are not complete until now.
 * @returns whether any was
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
 * Puts the edges of the planned periods into the states of these monitors, and updates everything that waits for an end of maintenance: checks that
 * were stopped, incidents that were held, their timelines, and escalations. The only place where the edges of a monitor's maintenance change. The
 * caller holds the states locked.
 */
export async function replan(tx: Tx, teamId: string, monitorIds: string[], now: Date): Promise<void> {
  const changed = await refreshStates(tx, monitorIds, now);
  if (changed.length === 0) return;
  await notePausedChecks(tx, changed, now);
  await replanEscalations(tx, teamId, { monitorId: { in: changed } }, now);
}
