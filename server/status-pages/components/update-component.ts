import { assertUnchanged, nextVersion } from '@/server/audit/assert-unchanged';
import { changesNothing } from '@/server/audit/changes-nothing';
import { recordAudit } from '@/server/audit/record-audit';
import { violatedConstraint } from '@/server/platform/db';
import { notify, notifyStatusPages } from '@/server/platform/listen';
import { lockComponent } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import type { StatusPageComponent, UpdateComponentInput } from '../schema';
import { forgetSnapshots } from '../snapshots/forget-snapshots';
import { nameKey, nameTaken } from './component-key';
import { componentNotFound, incidentsNaming, readComponent } from './component-queries';

/**
 * Changes the name or description of a component; writes nothing if nothing changes.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT, VALIDATION_ERROR (a name that is taken on the page)
 */
export async function updateComponent({ ctx, input }: Call<UpdateComponentInput>): Promise<StatusPageComponent> {
  const { team } = ctx;
  const { id, name, description, ifUpdatedAt } = input;
  try {
    const component = await ctx.db.$transaction(async (tx) => {
      const statusPageId = await lockComponent(tx, team.id, id);
      if (statusPageId === null) throw componentNotFound();
      const before = await readComponent(tx, team.id, id);
      const updatedAt = new Date(before.updatedAt);
      await assertUnchanged(tx, { teamId: team.id, id, updatedAt }, ifUpdatedAt);
      if (changesNothing(before, { name, description })) return before;
      await tx.statusPageComponent.update({
        where: { id },
        data: {
          updatedAt: nextVersion(updatedAt),
          ...(name !== undefined && { name, nameKey: nameKey(name) }),
          ...(description !== undefined && { description }),
        },
      });
      const after = await readComponent(tx, team.id, id);
      const target = { type: 'status_page_component', id, name: after.name };
      await recordAudit(tx, ctx, { teamId: team.id, action: 'status_page_component.update', target, before, after });
      await notifyStatusPages(tx, team.id, [statusPageId]);
      await notify(tx, { team: team.id, kind: 'incident', ids: await incidentsNaming(tx, { id }) });
      return after;
    });
    await forgetSnapshots(team.id);
    return component;
  } catch (error) {
    if (violatedConstraint(error)?.includes('name_key')) throw nameTaken();
    throw error;
  }
}
