import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { TeamContext } from '@/server/trpc/contexts';
import type { MaintenanceWindow } from './schema';

/** Removes the fields of a window that nobody sets, because they would differ in every audit entry. */
function auditedFields({ updatedAt: _updated, next: _next, ...window }: MaintenanceWindow) {
  return window;
}

export type WindowAction = `maintenance_window.${'create' | 'update' | 'skip' | 'unskip' | 'delete'}`;

/** Writes an audit entry for a maintenance window. */
export async function auditWindow(
  tx: Tx,
  ctx: TeamContext,
  action: WindowAction,
  before: MaintenanceWindow | null,
  after: MaintenanceWindow | null,
): Promise<void> {
  const window = after ?? before;
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action,
    target: { type: 'maintenance_window', id: window?.id ?? null, name: window?.title ?? null },
    before: before && auditedFields(before),
    after: after && auditedFields(after),
  });
}
