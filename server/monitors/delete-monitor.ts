import type { TeamContext } from '@/server/auth/contexts';
import { resolveIncidents } from '@/server/incidents/resolve-incidents';
import { notify, notifySchedule } from '@/server/platform/listen';
import { auditMonitor } from './audit-monitor';
import { monitorNotFound, readMonitor } from './queries';

/**
 * Deletes a monitor with its history. Its incidents stay, without the monitor; an open one is resolved first.
 * @throws AppError NOT_FOUND
 */
export async function deleteMonitor({
  ctx,
  input,
}: {
  ctx: TeamContext;
  input: { id: string };
}): Promise<{ ok: true }> {
  const { team } = ctx;
  const { id } = input;
  await ctx.db.$transaction(async (tx) => {
    const found = await tx.$queryRaw<unknown[]>`
      select 1 from monitor_states where monitor_id = ${id} and team_id = ${team.id} for update`;
    if (found.length === 0) throw monitorNotFound();
    await auditMonitor(tx, ctx, 'monitor.delete', await readMonitor(tx, team.id, id), null);
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
