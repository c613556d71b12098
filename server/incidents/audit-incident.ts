import { recordAudits } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { VerbContext } from '@/server/trpc/contexts';
import { componentsOf, type IncidentRow, monitorIdsOf } from './to-incident';

/** Returns the fields of an incident that audit entries contain. */
function shown(row: IncidentRow) {
  const { title, cause, status, severity, assigneeId } = row;
  const components = componentsOf(row).map(({ id, name }) => ({ id, name }));
  return { title, cause, status, severity, assigneeId, monitorIds: monitorIdsOf(row), components };
}

/** Writes an action on an incident to the audit log. `added` are further fields of the entry's `after`. */
export function auditIncident(
  tx: Tx,
  ctx: VerbContext,
  action: string,
  after: IncidentRow,
  before: IncidentRow | null = null,
  added: Record<string, unknown> = {},
): Promise<void> {
  return auditIncidents(tx, ctx, action, [{ before, after }], added);
}

/** Writes the same action on several incidents to the audit log. */
export function auditIncidents(
  tx: Tx,
  ctx: VerbContext,
  action: string,
  changes: { before: IncidentRow | null; after: IncidentRow }[],
  added: Record<string, unknown> = {},
): Promise<void> {
  return recordAudits(
    tx,
    ctx,
    changes.map(({ before, after }) => ({
      teamId: after.teamId,
      action,
      target: { type: 'incident', id: after.id, name: after.title },
      before: before && shown(before),
      after: { ...shown(after), ...added },
    })),
  );
}
