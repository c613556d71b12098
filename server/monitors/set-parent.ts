import { recordAudit } from '@/server/audit/record-audit';
import { MOST_LEVELS } from '@/server/incidents/dependencies/settle-job';
import { cutPage } from '@/server/lists/cut-page';
import type { IdPage } from '@/server/lists/schema';
import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import type { Dependency, MonitorParent, SetParentInput } from '@/server/monitor-types/schema';
import { invalidField } from '@/server/platform/errors';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { Call, OnOneObject } from '@/server/trpc/contexts';
import { countLevels } from './parent-queries';

/**
 * Returns the monitor that a monitor depends on.
 * @throws AppError NOT_FOUND
 */
export async function readParent({ ctx, input: { id } }: OnOneObject): Promise<MonitorParent> {
  const where = { id, teamId: ctx.team.id };
  const row = await ctx.db.monitor.findFirst({ where, select: { parent: { select: { id: true, name: true } } } });
  if (!row) throw monitorNotFound();
  return { parentId: row.parent?.id ?? null, parentName: row.parent?.name ?? null };
}

/** Returns a page of the monitors that depend on another one, newest first. The cursor is the last monitor ID of the previous page. */
export async function listParents({
  ctx,
  input: { limit, cursor },
}: Call<IdPage>): Promise<{ dependencies: Dependency[]; nextCursor: string | null }> {
  const rows = await ctx.db.monitor.findMany({
    where: { teamId: ctx.team.id, parentId: { not: null }, ...(cursor !== undefined && { id: { lt: cursor } }) },
    select: { id: true, parentId: true },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(rows, limit);
  const dependencies = page.flatMap(({ id, parentId }) => (parentId === null ? [] : [{ monitorId: id, parentId }]));
  return { dependencies, nextCursor };
}

/**
 * Sets the monitor that a monitor depends on. Applies to incidents that open from now on; an incident with a parent keeps it until the parent is
 * resolved.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (another team's monitor, a cycle, too many levels)
 */
export async function setParent({ ctx, input }: Call<SetParentInput>): Promise<MonitorParent> {
  const { id: teamId } = ctx.team;
  const { id, parentId } = input;
  await ctx.db.$transaction(async (tx) => {
    // Locks the team, so that two concurrent changes cannot create a cycle.
    await lockTeam(tx, teamId);
    const row = await tx.monitor.findFirst({ where: { id, teamId } });
    if (!row) throw monitorNotFound();
    if (row.parentId === parentId) return;
    if (parentId !== null) {
      const parent = await tx.monitor.findFirst({ where: { id: parentId, teamId }, select: { id: true } });
      if (!parent) throw invalidField('parentId', 'This monitor does not exist in this team.');
      const { isCycle, levels } = await countLevels(tx, id, parentId);
      if (isCycle) throw invalidField('parentId', 'This monitor depends on the one that you are changing.');
      if (levels > MOST_LEVELS) {
        throw invalidField('parentId', `At most ${MOST_LEVELS} monitors can depend on one another in a row.`);
      }
    }
    const { updatedAt } = row;
    await tx.monitor.update({ where: { id }, data: { parentId, updatedAt } });
    await recordAudit(tx, ctx, {
      teamId,
      action: 'monitor.update',
      target: { type: 'monitor', id, name: row.name },
      before: { parentId: row.parentId },
      after: { parentId },
    });
    await notify(tx, { team: teamId, kind: 'monitor', ids: [id] });
  });
  return readParent({ ctx, input: { id } });
}
