import { assertReadOnly } from '@/server/audit/assert-read-only';
import { assertUnchanged, nextVersion } from '@/server/audit/assert-unchanged';
import { changesNothing } from '@/server/audit/changes-nothing';
import { settingExternalId } from '@/server/external-ids/setting-external-id';
import type { Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { assertMembers } from './assert-members';
import { auditSchedule } from './audit-on-call';
import { readNames, readSchedule } from './queries';
import type { Schedule, UpdateScheduleInput } from './schema';

/**
 * Updates a schedule; writes nothing if nothing changes. Escalation steps that begin later use the updated schedule.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT, VALIDATION_ERROR (a person of another team)
 */
export async function updateSchedule({ ctx, input }: Call<UpdateScheduleInput>): Promise<Schedule> {
  const { team } = ctx;
  const { id, name, timezone, layers, externalId, ifUpdatedAt } = input;
  const update = async (tx: Tx) => {
    // Locks the team, so that the second of two edits sees the version of the first.
    await lockTeam(tx, team.id);
    const before = await readSchedule(tx, team.id, id);
    const updatedAt = new Date(before.updatedAt);
    await assertUnchanged(tx, { teamId: team.id, id, updatedAt }, ifUpdatedAt);
    assertReadOnly(input, before);
    if (changesNothing(before, { name, timezone, layers, externalId })) return before;
    if (layers) assertMembers(layers, await readNames(tx, team.id), before.layers);
    await tx.onCallSchedule.update({
      where: { id },
      data: {
        updatedAt: nextVersion(updatedAt),
        sequence: { increment: 1 },
        ...(name !== undefined && { name }),
        ...(timezone !== undefined && { timezone }),
        ...(layers && { layers }),
        ...(externalId !== undefined && { externalId }),
      },
    });
    const after = await readSchedule(tx, team.id, id);
    await auditSchedule(tx, ctx, 'on_call_schedule.update', before, after);
    await notify(tx, { team: team.id, kind: 'on-call', ids: [id] });
    return after;
  };
  return settingExternalId('on-call schedule', () => ctx.db.$transaction(update));
}
