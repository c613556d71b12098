import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { TeamContext } from '@/server/trpc/contexts';
import { maskChanged, maskConfig } from './config/config-secrets';
import type { Monitor } from './schema';

/** A monitor with its config as stored at that time. */
interface Version {
  monitor: Monitor;
  stored: unknown;
}

/** The fields that users set; results of checks are not included. */
function decided({ monitor }: Version, config: Record<string, unknown>) {
  const { status: _status, lastCheckedAt: _checked, updatedAt: _updated, ...rest } = monitor;
  return { ...rest, config };
}

/** Writes a change of a monitor to the audit log, with every secret masked. */
export async function auditMonitor(
  tx: Tx,
  ctx: TeamContext,
  action: 'monitor.create' | 'monitor.update' | 'monitor.delete',
  before: Version | null,
  after: Version | null,
): Promise<void> {
  const monitor = (after ?? before)?.monitor;
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action,
    target: { type: 'monitor', id: monitor?.id ?? null, name: monitor?.name ?? null },
    before: before && decided(before, maskConfig(before.monitor.type, before.stored)),
    after: after && decided(after, maskChanged(after.monitor.type, after.stored, before?.stored ?? {})),
  });
}
