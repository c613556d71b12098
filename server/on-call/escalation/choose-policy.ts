import type { IncidentSeverity } from '@/server/monitor-types/schema';

export interface Candidate {
  id: string;
  allMonitors: boolean;
  tags: string[];
  monitorIds: string[];
  minSeverity: IncidentSeverity;
}

const RANK: Record<IncidentSeverity, number> = { critical: 0, warning: 1, minor: 2 };

/** How closely a policy fits an incident: 2 names one of its monitors, 1 by a tag, 0 all; null: not at all. */
function closeness({ allMonitors, tags, monitorIds }: Candidate, monitors: { id: string; tags: string[] }[]) {
  if (monitors.some(({ id }) => monitorIds.includes(id))) return 2;
  if (monitors.some((monitor) => monitor.tags.some((tag) => tags.includes(tag)))) return 1;
  return allMonitors ? 0 : null;
}

/**
 * The policy of an incident, null without one: the one that fits closest (it names a monitor, then by a tag, then for all); of these the one
 * for the narrowest severities; of these the oldest. Pure.
 */
export function choosePolicy<Policy extends Candidate>(
  policies: Policy[],
  severity: IncidentSeverity,
  monitors: { id: string; tags: string[] }[],
): Policy | null {
  const fitting = policies.flatMap((policy) => {
    const fit = closeness(policy, monitors);
    return fit === null || RANK[severity] > RANK[policy.minSeverity] ? [] : { policy, fit };
  });
  fitting.sort(
    (a, b) =>
      b.fit - a.fit || RANK[a.policy.minSeverity] - RANK[b.policy.minSeverity] || (a.policy.id < b.policy.id ? -1 : 1),
  );
  return fitting[0]?.policy ?? null;
}
