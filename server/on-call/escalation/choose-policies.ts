import type { Tx } from '@/server/platform/db';
import type { EscalationPolicy } from '@/server/platform/generated/prisma/client';
import { type Escalated, findFitting } from './choice-queries';

/** Returns the escalation policy of each incident, by incident ID. Incidents without a matching policy are missing. */
export async function choosePolicies(tx: Tx, incidents: Escalated[]): Promise<Map<string, EscalationPolicy>> {
  const found = await findFitting(tx, incidents);
  if (found.length === 0) return new Map();
  const ids = new Set(found.map(({ policyId }) => policyId));
  const rows = await tx.escalationPolicy.findMany({ where: { id: { in: [...ids] } } });
  const policies = new Map(rows.map((policy) => [policy.id, policy]));
  // A policy that is deleted concurrently is missing.
  return new Map(
    found.flatMap(({ incidentId, policyId }) => {
      const policy = policies.get(policyId);
      return policy ? [[incidentId, policy] as const] : [];
    }),
  );
}
