import type { TeamContext } from '@/server/auth/contexts';
import { resolveIncidents } from '@/server/incidents/resolve-incidents';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { notify, notifySchedule } from '@/server/platform/listen';
import { auditMonitor } from './audit-monitor';
import { monitorNotFound, readMonitor } from './queries';

/**
 * Deletes a monitor, found by its id or externalId, with its history. Its incidents stay, without the monitor; an open one
 * is resolved first.
 * @throws AppError NOT_FOUND
 */
export async function deleteMonitor({
  ctx,
  input,
}: {
  ctx: TeamContext;
  input: { id: string } | { externalId: string };
}): Promise<{ ok: true }> {
  const { team } = ctx;
  const named = 'id' in input ? Prisma.sql`m.id = ${input.id}` : Prisma.sql`m.external_id = ${input.externalId}`;
  await ctx.db.$transaction(async (tx) => {
    // The state's row is locked before the monitor's, as everywhere; the monitor's, so that it still has this externalId.
    const [found] = await tx.$queryRaw<{ id: string }[]>`
      select m.id from monitor_states s join monitors m on m.id = s.monitor_id
      where m.team_id = ${team.id} and ${named} for update of s for no key update of m`;
    if (!found) throw monitorNotFound();
    const { id } = found;
    const monitor = await readMonitor(tx, team.id, id, 'masked');
    const { config: stored } = await tx.monitor.findUniqueOrThrow({ where: { id }, select: { config: true } });
    await auditMonitor(tx, ctx, 'monitor.delete', { monitor, stored }, null);
    const resolvedAt = new Date();
    const open = (['status', 'certificate'] as const).map((subject) => {
      return { monitorId: id, subject, resolvedAt, message: 'The monitor was deleted.' };
    });
    await resolveIncidents(tx, open);
    await tx.monitor.deleteMany({ where: { id, teamId: team.id } });
    await notifySchedule(tx);
    await notify(tx, { team: team.id, kind: 'monitor', ids: [id] });
  });
  return { ok: true };
}
