import { choosePolicies } from '@/server/on-call/escalation/choose-policies';
import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { enqueueMany } from '@/server/platform/jobs';
import { type IncidentRow, monitorIdsOf } from '../to-incident';
import { advanceEscalation, escalationKey } from './advance-escalation';
import { escalationPriorities } from './priority';

/**
 * Starts the escalations of opened or reopened incidents, each with the policy that matches it; skips incidents without one. Runs in the transaction
 * that opens them. Replaces earlier escalations, and queues the jobs that run the first step.
 */
export async function startEscalations(tx: Tx, incidents: IncidentRow[]): Promise<void> {
  const policies = await choosePolicies(
    tx,
    incidents.map((incident) => {
      const { id, teamId, severity } = incident;
      return { id, teamId, severity, monitorIds: monitorIdsOf(incident) };
    }),
  );
  const chosen = incidents.flatMap(({ id, teamId }) => {
    const policy = policies.get(id);
    return policy ? [{ id, teamId, policy }] : [];
  });
  if (chosen.length === 0) return;
  const now = await databaseNow(tx);
  const earlier = await tx.escalation.findMany({
    where: { incidentId: { in: chosen.map(({ id }) => id) } },
    select: { incidentId: true, round: true },
  });
  const rounds = new Map(earlier.map(({ incidentId, round }) => [incidentId, round]));
  await tx.escalation.deleteMany({ where: { incidentId: { in: [...rounds.keys()] } } });
  await tx.escalation.createMany({
    data: chosen.map(({ id, teamId, policy }) => {
      // Continues the count of rounds, because the event keys of an earlier escalation's messages contain its rounds.
      const round = (rounds.get(id) ?? -1) + 1;
      return {
        incidentId: id,
        teamId,
        policyId: policy.id,
        policyName: policy.name,
        steps: policy.steps ?? [],
        status: 'running' as const,
        firstRound: round,
        round,
        lastRound: round + policy.repeat,
        nextStepAt: now,
        nextAt: now,
        startedAt: now,
      };
    }),
  });
  for (const teamId of new Set(chosen.map((each) => each.teamId))) {
    const own = chosen.filter((each) => each.teamId === teamId);
    const priorities = await escalationPriorities(tx, teamId, now, own.length);
    await enqueueMany(
      tx,
      advanceEscalation,
      own.map(({ id }, index) => {
        return { payload: { incidentId: id }, jobKey: escalationKey(id), runAt: now, priority: priorities[index] ?? 0 };
      }),
    );
  }
}

/** Ends the escalations of acknowledged or resolved incidents in the transaction of that change, so that no further step runs. */
export async function stopEscalations(tx: Tx, incidentIds: string[]): Promise<void> {
  await tx.escalation.updateMany({
    where: { incidentId: { in: incidentIds }, status: 'running' },
    data: { status: 'stopped', nextAt: null, pending: [] },
  });
}
