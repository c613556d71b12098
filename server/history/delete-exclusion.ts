import { notify } from '@/server/platform/listen';
import type { Call } from '@/server/trpc/contexts';
import { auditExclusion } from './audit-exclusion';
import { markStale } from './mark-stale';
import { exclusionNotFound, toExclusion } from './queries';

/**
 * Removes an exclusion, so that its time counts towards the monitor's uptime again. Marks the roll-ups of these days as stale.
 * @throws AppError NOT_FOUND
 */
export async function deleteExclusion({
  ctx,
  input: { id, exclusionId },
}: Call<{ id: string; exclusionId: string }>): Promise<{ ok: true }> {
  const { team } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const where = { id: exclusionId, monitorId: id, teamId: team.id };
    const row = await tx.uptimeExclusion.findFirst({
      where,
      include: { monitor: { select: { num: true, name: true } } },
    });
    if (!row || (await tx.uptimeExclusion.deleteMany({ where })).count === 0) throw exclusionNotFound();
    await markStale(tx, [{ monitorNum: row.monitor.num, since: row.startsAt }]);
    await auditExclusion(tx, ctx, { id, name: row.monitor.name }, toExclusion(row), null);
    await notify(tx, { team: team.id, kind: 'monitor', ids: [id] });
  });
  return { ok: true };
}
