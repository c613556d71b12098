import { cutPage } from '@/server/lists/cut-page';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { EscalationPolicy as Policy, Prisma } from '@/server/platform/generated/prisma/client';
import type { VerbContext } from '@/server/trpc/contexts';
import { readWarnings } from './policy-warnings';
import { type EscalationPolicy, EscalationStep, type ListPoliciesInput, type PolicyWarning } from './schema';

/** A policy with the IDs of its monitors, of which there may be 1,000. */
type Row = Policy & { monitorIds: string[] };

export function policyNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such escalation policy.');
}

/** Counts the running escalations of each policy. Policies without any are missing. */
async function countActive(db: Db, rows: Row[]): Promise<Map<string, number>> {
  const counts = await db.escalation.groupBy({
    by: ['policyId'],
    where: { policyId: { in: rows.map(({ id }) => id) }, status: 'running' },
    _count: { _all: true },
  });
  return new Map(counts.map(({ policyId, _count }) => [policyId, _count._all]));
}

async function withMonitorIds(db: Db, policies: Policy[]): Promise<Row[]> {
  // Raw: a model call takes many times the CPU for thousands of rows.
  const rows = await db.$queryRaw<{ id: string; monitorIds: string }[]>`
    select policy_id as id, string_agg(monitor_id, ',' order by monitor_id) as "monitorIds"
    from escalation_policy_monitors where policy_id = any(${policies.map(({ id }) => id)}::text[])
    group by policy_id`;
  const idsById = new Map(rows.map(({ id, monitorIds }) => [id, monitorIds.split(',')]));
  return policies.map((policy) => ({ ...policy, monitorIds: idsById.get(policy.id) ?? [] }));
}

/** A policy without its warnings, which depend on the targets of its steps and on the time. */
export type StoredPolicy = Omit<EscalationPolicy, 'warnings'>;

async function toStored(db: Db, policies: Policy[]): Promise<StoredPolicy[]> {
  if (policies.length === 0) return [];
  const rows = await withMonitorIds(db, policies);
  const active = await countActive(db, rows);
  return rows.map((row) => ({
    id: row.id,
    teamId: row.teamId,
    name: row.name,
    steps: EscalationStep.array().parse(row.steps),
    repeat: row.repeat,
    monitorIds: row.allMonitors ? null : row.monitorIds,
    tags: row.tags,
    minSeverity: row.minSeverity,
    externalId: row.externalId,
    activeEscalations: active.get(row.id) ?? 0,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

/**
 * Returns a policy of the team without its warnings.
 * @throws AppError NOT_FOUND
 */
export async function readStoredPolicy(db: Db, teamId: string, id: string): Promise<StoredPolicy> {
  const row = await db.escalationPolicy.findFirst({ where: { id, teamId } });
  const [policy] = await toStored(db, row ? [row] : []);
  if (!policy) throw policyNotFound();
  return policy;
}

/** Adds the warnings of policies of a team. Do not call it in a transaction: it waits for turns with other teams, and the transaction has locks. */
async function addWarnings(db: Db, teamId: string, policies: StoredPolicy[]): Promise<EscalationPolicy[]> {
  if (policies.length === 0) return [];
  const steps = policies.map((policy) => policy.steps);
  const warnings = await readWarnings(db, teamId, steps);
  return policies.map((policy, index) => ({ ...policy, warnings: warnings[index] ?? [] }));
}

/** Adds the warnings of a policy. Do not call it in a transaction: it waits for turns with other teams, and the transaction has locks. */
export async function withWarnings(db: Db, policy: StoredPolicy): Promise<EscalationPolicy> {
  const [warnings = []] = await readWarnings(db, policy.teamId, [policy.steps]);
  return { ...policy, warnings };
}

const UNAVAILABLE: PolicyWarning = {
  step: null,
  code: 'warnings_unavailable',
  message: 'The policy is saved, but its warnings could not be read. Load it again to see them.',
};

/** Adds the warnings of a policy that was just saved. If they cannot be read, a warning says so, because an error would deny the committed change. */
export async function withWarningsOnceSaved({ db, log }: VerbContext, policy: StoredPolicy): Promise<EscalationPolicy> {
  try {
    return await withWarnings(db, policy);
  } catch (error) {
    log.error({ err: error, policy: policy.id }, 'The warnings of a saved escalation policy could not be read');
    return { ...policy, warnings: [UNAVAILABLE] };
  }
}

/** Returns the condition for policies whose steps name this person, schedule or channel, or a schedule that contains this person. */
async function naming(db: Db, teamId: string, targetId: string): Promise<Prisma.EscalationPolicyWhereInput> {
  const turns = await db.onCallSchedule.findMany({
    where: { teamId, layers: { array_contains: [{ userIds: [targetId] }] } },
    select: { id: true },
  });
  const ids = [targetId, ...turns.map(({ id }) => id)];
  return { OR: ids.map((id) => ({ steps: { array_contains: [{ targets: [{ id }] }] } })) };
}

/** Returns a page of the team's policies, newest first. The cursor is the last ID of the previous page. */
export async function listPolicies(
  db: Db,
  teamId: string,
  { limit, cursor, externalId, targetId }: ListPoliciesInput,
): Promise<{ escalationPolicies: EscalationPolicy[]; nextCursor: string | null }> {
  const rows = await db.escalationPolicy.findMany({
    where: {
      teamId,
      ...(cursor !== undefined && { id: { lt: cursor } }),
      ...(externalId !== undefined && { externalId }),
      ...(targetId !== undefined && (await naming(db, teamId, targetId))),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(rows, limit);
  return { escalationPolicies: await addWarnings(db, teamId, await toStored(db, page)), nextCursor };
}
