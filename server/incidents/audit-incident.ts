import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { VerbContext } from '@/server/trpc/contexts';
import { componentsOf, type IncidentRow, monitorIdsOf } from './to-incident';

/** Writes an action on an incident to the audit log. */
export async function auditIncident(
  tx: Tx,
  ctx: VerbContext,
  action: string,
  after: IncidentRow,
  before: IncidentRow | null = null,
  added: Record<string, unknown> = {},
): Promise<void> {
  const shown = (row: IncidentRow) => {
    const { title, cause, status, severity, assigneeId } = row;
    const components = componentsOf(row).map(({ id, name }) => ({ id, name }));
    return { title, cause, status, severity, assigneeId, monitorIds: monitorIdsOf(row), components };
  };
  await recordAudit(tx, ctx, {
    teamId: after.teamId,
    action,
    target: { type: 'incident', id: after.id, name: after.title },
    before: before && shown(before),
    after: { ...shown(after), ...added },
  });
}
