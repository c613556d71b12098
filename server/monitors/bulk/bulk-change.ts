import { type MonitorView, monitorInclude, toMonitor } from '@/server/monitor-types/output/to-monitor';
import type { Tx } from '@/server/platform/db';
import type { AppError } from '@/server/platform/errors';
import type { TeamContext } from '@/server/trpc/contexts';
import { auditMonitors } from '../audit-monitor';

/** Reads monitors without their configs, which are large and which bulk actions do not change. */
export async function readAll(tx: Tx, ids: string[]) {
  const rows = await tx.monitor.findMany({
    where: { id: { in: ids } },
    include: monitorInclude,
    omit: { config: true },
  });
  return rows.map((row) => ({ ...row, config: {} }));
}

export type BulkRow = Awaited<ReturnType<typeof readAll>>[number];

export interface BulkOutcome {
  /** The changed monitors, as they were before. */
  changed: BulkRow[];
  /** The reasons for monitors that were not changed. */
  refused?: Map<string, AppError>;
  /** How the changes are written to the audit log; missing if the action writes none, or has written them. */
  audit?: 'monitor.update' | 'monitor.restore';
}

/**
 * Changes monitors of the team. The caller has locked the monitors, and the team against changes of its maintenance windows. `monitors` also contains
 * those that are in the wanted state already.
 */
export type BulkChange = (tx: Tx, teamId: string, monitors: BulkRow[]) => Promise<BulkOutcome>;

/** Writes the changes of monitors to the audit log: compares `before` with the present rows. */
export async function auditBulk(
  tx: Tx,
  ctx: TeamContext,
  action: NonNullable<BulkOutcome['audit']>,
  { before, view }: { before: BulkRow[]; view: MonitorView },
): Promise<void> {
  if (before.length === 0) return;
  const version = (row: BulkRow) => ({ monitor: toMonitor(row, view), stored: row.config });
  const former = new Map(before.map((row) => [row.id, row]));
  const after = await readAll(tx, [...former.keys()]);
  const changes = after.flatMap((row) => {
    const was = former.get(row.id);
    return was ? [{ before: version(was), after: version(row) }] : [];
  });
  await auditMonitors(tx, ctx, action, changes);
}
