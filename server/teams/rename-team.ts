import { recordAudit } from '@/server/audit/record-audit';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import type { Team, TeamInput } from './schema';

/** Renames the team. Writes nothing if the name does not change. */
export async function renameTeam({ ctx, input: { name } }: Call<TeamInput>): Promise<Team> {
  const { id, role } = ctx.team;
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, id);
    const { name: before } = await tx.team.findUniqueOrThrow({ where: { id }, select: { name: true } });
    if (before === name) return;
    await tx.team.update({ where: { id }, data: { name } });
    const target = { type: 'team', id, name };
    await recordAudit(tx, ctx, {
      teamId: id,
      action: 'team.update',
      target,
      before: { name: before },
      after: { name },
    });
  });
  return { id, name, role };
}
