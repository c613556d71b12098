import type { Db } from '@/server/platform/db';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { eachSchedule, readNames, toShift } from './queries';
import { shiftAt, shiftRange } from './rota/shift-at';
import type { OnCall, OnCallInput } from './schema';

/** Returns who is on call in each schedule of the team at a given time, now by default. */
export async function listOnCall(db: Db, teamId: string, { at: given }: OnCallInput): Promise<OnCall[]> {
  const at = given === undefined ? new Date() : new Date(given);
  const names = await readNames(db, teamId);
  const onCall: OnCall[] = [];
  for await (const { row, rota } of eachSchedule(db, teamId, shiftRange(at), names)) {
    await takeLoopTurn(teamId);
    const { goesOn: _goesOn, ...turn } = shiftAt(rota, at);
    onCall.push({ scheduleId: row.id, scheduleName: row.name, shift: toShift(turn, names) });
  }
  return onCall;
}
