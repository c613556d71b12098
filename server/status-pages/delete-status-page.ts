import { recordAudit } from '@/server/audit/record-audit';
import { enqueue } from '@/server/platform/jobs';
import { notify, notifyStatusPages } from '@/server/platform/listen';
import { lockStatusPage } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { incidentsNaming } from './components/component-queries';
import { deletePageObjects } from './objects';
import { readStatusPage } from './queries';
import { forgetSnapshots } from './snapshots/forget-snapshots';

/**
 * Deletes a status page and its components; its monitors and incidents are kept. A job removes its logo.
 * @throws AppError NOT_FOUND
 */
export async function deleteStatusPage({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const { team } = ctx;
  await ctx.db.$transaction(async (tx) => {
    await lockStatusPage(tx, team.id, id);
    const before = await readStatusPage(tx, team.id, id);
    const naming = await incidentsNaming(tx, { statusPageId: id });
    await tx.statusPage.delete({ where: { id } });
    await enqueue(tx, deletePageObjects, { statusPageId: id });
    const target = { type: 'status_page', id, name: before.title };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'status_page.delete', target, before });
    await notifyStatusPages(tx, team.id, [id]);
    await notify(tx, { team: team.id, kind: 'incident', ids: naming });
  });
  await forgetSnapshots(team.id);
  return { ok: true };
}
