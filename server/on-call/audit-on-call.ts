import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { TeamContext } from '@/server/trpc/contexts';
import type { StoredPolicy } from './policy-queries';
import type { Schedule } from './schema';

/** Removes the fields of a schedule that nobody sets, because they would differ in every audit entry. */
function auditedFields({ updatedAt: _updated, now: _now, ...schedule }: Schedule) {
  return schedule;
}

/** Writes a change of a schedule to the audit log. */
export async function auditSchedule(
  tx: Tx,
  ctx: TeamContext,
  action: 'on_call_schedule.create' | 'on_call_schedule.update' | 'on_call_schedule.delete',
  before: Schedule | null,
  after: Schedule | null,
): Promise<void> {
  const schedule = after ?? before;
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action,
    target: { type: 'on_call_schedule', id: schedule?.id ?? null, name: schedule?.name ?? null },
    before: before && auditedFields(before),
    after: after && auditedFields(after),
  });
}

/** Removes the fields of a policy that nobody sets. */
function auditedPolicyFields({ updatedAt: _updated, activeEscalations: _active, ...policy }: StoredPolicy) {
  return policy;
}

/** Writes a change of an escalation policy to the audit log. */
export async function auditPolicy(
  tx: Tx,
  ctx: TeamContext,
  action: 'escalation_policy.create' | 'escalation_policy.update' | 'escalation_policy.delete',
  before: StoredPolicy | null,
  after: StoredPolicy | null,
): Promise<void> {
  const policy = after ?? before;
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action,
    target: { type: 'escalation_policy', id: policy?.id ?? null, name: policy?.name ?? null },
    before: before && auditedPolicyFields(before),
    after: after && auditedPolicyFields(after),
  });
}
