import { cutPage } from '@/server/lists/cut-page';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { EscalationPolicy as Policy, Prisma } from '@/server/platform/generated/prisma/client';
import { readWarnings } from './policy-warnings';
import { type EscalationPolicy, EscalationStep, type ListPoliciesInput } from './schema';

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

async function toPolicies(db: Db, teamId: string, policies: Policy[]): Promise<EscalationPolicy[]> {
  if (policies.length === 0) return [];
  const rows = await withMonitorIds(db, policies);
  const active = await countActive(db, rows);
  const steps = rows.map((row) => EscalationStep.array().parse(row.steps));
  const warnings = await readWarnings(db, teamId, steps);
  return rows.map((row, index) => {
    const activeEscalations = active.get(row.id) ?? 0;
    return toPolicy(row, { steps: steps[index] ?? [], activeEscalations, warnings: warnings[index] ?? [] });
  });
}

type Derived = Pick<EscalationPolicy, 'steps' | 'activeEscalations' | 'warnings'>;

function toPolicy(row: Row, { steps, activeEscalations, warnings }: Derived): EscalationPolicy {
  return {
    id: row.id,
    teamId: row.teamId,
    name: row.name,
    steps,
    repeat: row.repeat,
    monitorIds: row.allMonitors ? null : row.monitorIds,
    tags: row.tags,
    minSeverity: row.minSeverity,
    externalId: row.externalId,
    activeEscalations,
    warnings,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Returns a policy of the team with its warnings.
 * @throws AppError NOT_FOUND
 */
export async function readPolicy(db: Db, teamId: string, id: string): Promise<EscalationPolicy> {
  const row = await db.escalationPolicy.findFirst({ where: { id, teamId } });
  const [policy] = row ? await toPolicies(db, teamId, [row]) : [];
  if (!policy) throw policyNotFound();
  return policy;
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
  return { escalationPolicies: await toPolicies(db, teamId, page), nextCursor };
}
