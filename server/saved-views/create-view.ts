import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { assertNameFree, clearDefault, toView, viewFacts } from './queries';
import { type CreateViewInput, MOST_VIEWS, type SavedView } from './schema';

/**
 * Saves a view of the list of monitors for the team. Locks the team, so that the limit, unique names and the single default hold for concurrent
 * calls.
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR (name)
 */
export async function createView({ ctx, input }: Call<CreateViewInput>): Promise<SavedView> {
  const teamId = ctx.team.id;
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, teamId);
    await assertNameFree(tx, teamId, input.name);
    if ((await tx.savedView.count({ where: { teamId } })) >= MOST_VIEWS) {
      throw new AppError('PLAN_LIMIT_REACHED', `Your team can have at most ${MOST_VIEWS} saved views. Delete one.`);
    }
    const row = await tx.savedView.create({ data: { id: newId(), teamId, ...input } });
    if (row.isDefault) await clearDefault(tx, teamId, row.id);
    const target = { type: 'saved_view', id: row.id, name: row.name };
    await recordAudit(tx, ctx, { teamId, action: 'saved_view.create', target, after: viewFacts(row) });
    return toView(row);
  });
}
