import { recordAudits } from '@/server/audit/record-audit';
import { maskChanged, maskConfig } from '@/server/monitor-types/config/config-secrets';
import type { Monitor } from '@/server/monitor-types/schema';
import type { Tx } from '@/server/platform/db';
import type { TeamContext } from '@/server/trpc/contexts';

/** A monitor, and its config as it was stored at the same time. */
interface Version {
  monitor: Monitor;
  stored: unknown;
}

/** Returns the fields of a monitor that users set, without results of checks. */
function auditedFields({ monitor }: Version, config: Record<string, unknown>) {
  const { status: _status, lastCheckedAt: _checked, updatedAt: _updated, ...rest } = monitor;
  return { ...rest, config };
}

type Action = 'monitor.create' | 'monitor.update' | 'monitor.delete' | 'monitor.restore';

/** Writes a change of a monitor to the audit log, with every secret masked. */
export function auditMonitor(
  tx: Tx,
  ctx: TeamContext,
  action: Action,
  before: Version | null,
  after: Version | null,
): Promise<void> {
  return auditMonitors(tx, ctx, action, [{ before, after }]);
}

/** Writes changes of several monitors to the audit log, with every secret masked. */
export function auditMonitors(
  tx: Tx,
  ctx: TeamContext,
  action: Action,
  changes: { before: Version | null; after: Version | null }[],
): Promise<void> {
  return recordAudits(
    tx,
    ctx,
    changes.map(({ before, after }) => {
      const monitor = (after ?? before)?.monitor;
      return {
        teamId: ctx.team.id,
        action,
        target: { type: 'monitor', id: monitor?.id ?? null, name: monitor?.name ?? null },
        before: before && auditedFields(before, maskConfig(before.monitor.type, before.stored)),
        after: after && auditedFields(after, maskChanged(after.monitor.type, after.stored, before?.stored ?? {})),
      };
    }),
  );
}
