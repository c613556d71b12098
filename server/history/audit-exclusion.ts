import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { TeamContext } from '@/server/trpc/contexts';
import type { Exclusion } from './schema';

/** Writes to the audit log that an exclusion was added to or removed from a monitor's uptime. */
export async function auditExclusion(
  tx: Tx,
  ctx: TeamContext,
  monitor: { id: string; name: string },
  before: Exclusion | null,
  after: Exclusion | null,
): Promise<void> {
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action: after ? 'exclusion.create' : 'exclusion.delete',
    target: { type: 'monitor', id: monitor.id, name: monitor.name },
    ...(after && { reason: after.reason }),
    before,
    after,
  });
}
