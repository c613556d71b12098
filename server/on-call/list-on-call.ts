import type { Db } from '@/server/platform/db';
import { loadSchedules, readNames, shiftAt, shiftRange } from './queries';
import type { OnCall, OnCallInput } from './schema';

/** Who is on call in each schedule of the team at a moment, now by default. */
export async function listOnCall(db: Db, teamId: string, { at: given }: OnCallInput): Promise<OnCall[]> {
  const at = given === undefined ? new Date() : new Date(given);
  const names = await readNames(db, teamId);
  const loaded = await loadSchedules(db, teamId, shiftRange(at), names);
  return loaded.map((each) => ({
    scheduleId: each.row.id,
    scheduleName: each.row.name,
    shift: shiftAt(each, at, names),
  }));
}
