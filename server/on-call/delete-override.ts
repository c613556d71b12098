import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import { isStronger } from '@/server/teams/schema';
import type { TeamContext } from '@/server/trpc/contexts';
import { readNames, toOverride } from './queries';
import type { DeleteOverrideInput } from './schema';

/** Deletes an override; members only those of themselves or that they created. @throws AppError NOT_FOUND, FORBIDDEN */
export async function deleteOverride({
  ctx,
  input: { id: scheduleId, overrideId },
}: {
  ctx: TeamContext;
  input: DeleteOverrideInput;
}): Promise<{ ok: true }> {
  const { team, user } = ctx;
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    const row = await tx.onCallOverride.findFirst({
      where: { id: overrideId, scheduleId, teamId: team.id },
      include: { schedule: { select: { name: true } } },
    });
    if (!row) throw new AppError('NOT_FOUND', 'There is no such override.');
    const isOwn = row.userId === user.id || row.createdById === user.id;
    if (!isOwn && !isStronger(team.role, 'member')) {
      throw new AppError('FORBIDDEN', 'Members can delete only their own overrides. Ask an admin or owner.');
    }
    await tx.onCallOverride.delete({ where: { id: overrideId } });
    const before = toOverride(row, await readNames(tx, team.id));
    const target = { type: 'on_call_schedule', id: scheduleId, name: row.schedule.name };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'on_call_override.delete', target, before });
    await notify(tx, { team: team.id, kind: 'on-call', ids: [scheduleId] });
  });
  return { ok: true };
}
