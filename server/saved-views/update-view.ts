import { assertUnchanged, nextVersion } from '@/server/audit/assert-unchanged';
import { changesNothing } from '@/server/audit/changes-nothing';
import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { assertNameFree, clearDefault, toView, viewFacts } from './queries';
import type { SavedView, UpdateViewInput } from './schema';

/**
 * Changes a saved view; omitted fields keep their values. A new default replaces the former one.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT, VALIDATION_ERROR (name)
 */
export async function updateView({ ctx, input }: Call<UpdateViewInput>): Promise<SavedView> {
  const teamId = ctx.team.id;
  const { id, name, query, isDefault, ifUpdatedAt } = input;
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, teamId);
    const before = await tx.savedView.findFirst({ where: { id, teamId } });
    if (!before) throw new AppError('NOT_FOUND', 'There is no such saved view.');
    await assertUnchanged(tx, before, ifUpdatedAt);
    if (changesNothing(before, { name, query, isDefault })) return toView(before);
    if (name !== undefined) await assertNameFree(tx, teamId, name, id);
    const row = await tx.savedView.update({
      where: { id },
      data: {
        updatedAt: nextVersion(before.updatedAt),
        ...(name !== undefined && { name }),
        ...(query !== undefined && { query }),
        ...(isDefault !== undefined && { isDefault }),
      },
    });
    if (row.isDefault) await clearDefault(tx, teamId, id);
    const target = { type: 'saved_view', id, name: row.name };
    const facts = { before: viewFacts(before), after: viewFacts(row) };
    await recordAudit(tx, ctx, { teamId, action: 'saved_view.update', target, ...facts });
    return toView(row);
  });
}
