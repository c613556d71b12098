import { recordAudit } from '@/server/audit/record-audit';
import { notify, notifyStatusPages } from '@/server/platform/listen';
import { lockComponent } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { forgetSnapshots } from '../snapshots/forget-snapshots';
import { componentNotFound, incidentsNaming, readComponent } from './component-queries';

/**
 * Deletes a component. Incidents that named it are kept without it; a job removes the references, which can be many.
 * @throws AppError NOT_FOUND
 */
export async function deleteComponent({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const { team } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const statusPageId = await lockComponent(tx, team.id, id);
    if (statusPageId === null) throw componentNotFound();
    const before = await readComponent(tx, team.id, id);
    const naming = await incidentsNaming(tx, { id });
    await tx.statusPageComponent.delete({ where: { id } });
    const target = { type: 'status_page_component', id, name: before.name };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'status_page_component.delete', target, before });
    await notifyStatusPages(tx, team.id, [statusPageId]);
    await notify(tx, { team: team.id, kind: 'incident', ids: naming });
  });
  await forgetSnapshots(team.id);
  return { ok: true };
}
