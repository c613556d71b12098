import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import { lockTeam } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { viewFacts } from './queries';

/**
 * Deletes a saved view of the team. The monitors that it shows stay as they are.
 * @throws AppError NOT_FOUND
 */
export async function deleteView({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const teamId = ctx.team.id;
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, teamId);
    const row = await tx.savedView.findFirst({ where: { id, teamId } });
    if (!row) throw new AppError('NOT_FOUND', 'There is no such saved view.');
    await tx.savedView.delete({ where: { id } });
    const target = { type: 'saved_view', id, name: row.name };
    await recordAudit(tx, ctx, { teamId, action: 'saved_view.delete', target, before: viewFacts(row) });
  });
  return { ok: true };
}
