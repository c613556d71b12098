import { recordAudit } from '@/server/audit/record-audit';
import type { TeamContext } from '@/server/auth/contexts';
import type { Tx } from '@/server/platform/db';
import type { Monitor } from './schema';

/** What people decide about a monitor; what checks find is no change of theirs. Whoever knows a ping address can ping. */
function decided({ status: _status, lastCheckedAt: _checked, updatedAt: _updated, ...monitor }: Monitor) {
  const { pingUrl: _secret, ...config } = monitor.config;
  return { ...monitor, config };
}

/** Writes what happened to a monitor into the audit log; secrets are masked already. */
export async function auditMonitor(
  tx: Tx,
  ctx: TeamContext,
  action: 'monitor.create' | 'monitor.update' | 'monitor.delete',
  before: Monitor | null,
  after: Monitor | null,
): Promise<void> {
  const monitor = after ?? before;
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action,
    target: { type: 'monitor', id: monitor?.id ?? null, name: monitor?.name ?? null },
    before: before && decided(before),
    after: after && decided(after),
  });
}
