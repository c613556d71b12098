import { recordAudit } from '@/server/audit/record-audit';
import { enqueue } from '@/server/platform/jobs';
import { notifyStatusPages } from '@/server/platform/listen';
import { lockStatusPage } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { deleteUnusedLogo } from './objects';
import { readStatusPage } from './queries';
import type { StatusPage } from './schema';
import { forgetSnapshots } from './snapshots/forget-snapshots';

/**
 * Removes the logo of a status page, if there is one.
 * @throws AppError NOT_FOUND
 */
export async function removeLogo({ ctx, input: { id } }: OnOneObject): Promise<StatusPage> {
  const { team } = ctx;
  const saved = await ctx.db.$transaction(async (tx) => {
    const logoKey = (await lockStatusPage(tx, team.id, id))?.logoKey ?? null;
    const before = await readStatusPage(tx, team.id, id);
    if (logoKey === null) return before;
    await tx.statusPage.update({ where: { id }, data: { logoKey: null, updatedAt: new Date(before.updatedAt) } });
    await enqueue(tx, deleteUnusedLogo, { logoKey });
    const after = await readStatusPage(tx, team.id, id);
    const target = { type: 'status_page', id, name: after.title };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'status_page.remove_logo', target, before, after });
    await notifyStatusPages(tx, team.id, [id]);
    return after;
  });
  await forgetSnapshots(team.id);
  return saved;
}
