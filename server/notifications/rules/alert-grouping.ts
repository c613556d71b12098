import { recordAudit } from '@/server/audit/record-audit';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import type { AlertGrouping } from './rules';

/** Returns within how many seconds the team's alerts are grouped; 0 if they are not. */
export async function readGrouping({ ctx }: { ctx: TeamContext }): Promise<AlertGrouping> {
  const where = { id: ctx.team.id };
  const { groupSeconds: seconds } = await ctx.db.team.findUniqueOrThrow({ where, select: { groupSeconds: true } });
  return { seconds };
}

/** Sets within how many seconds the team's alerts are grouped. Applies to messages that are sent from now on. */
export async function updateGrouping({ ctx, input: { seconds } }: Call<AlertGrouping>): Promise<AlertGrouping> {
  const { id, name } = ctx.team;
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, id);
    const { groupSeconds } = await tx.team.findUniqueOrThrow({ where: { id }, select: { groupSeconds: true } });
    if (groupSeconds === seconds) return;
    await tx.team.update({ where: { id }, data: { groupSeconds: seconds } });
    await recordAudit(tx, ctx, {
      teamId: id,
      action: 'team.update',
      target: { type: 'team', id, name },
      before: { alertGrouping: groupSeconds },
      after: { alertGrouping: seconds },
    });
    // A setting of all channels, so their list shows it.
    await notify(tx, { team: id, kind: 'channel', ids: [id] });
  });
  return { seconds };
}
