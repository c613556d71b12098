import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { auditSchedule } from './audit-on-call';
import { readSchedule } from './queries';

/**
 * Deletes a schedule with its overrides and calendar feeds. Escalation steps that name it no longer reach anybody through it.
 * @throws AppError NOT_FOUND
 */
export async function deleteSchedule({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const { team } = ctx;
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    const before = await readSchedule(tx, team.id, id);
    await tx.onCallSchedule.delete({ where: { id } });
    await auditSchedule(tx, ctx, 'on_call_schedule.delete', before, null);
    await notify(tx, { team: team.id, kind: 'on-call', ids: [id] });
  });
  return { ok: true };
}
