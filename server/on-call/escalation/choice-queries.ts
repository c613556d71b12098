import type { IncidentSeverity } from '@/server/monitor-types/schema';
import type { Tx } from '@/server/platform/db';

export interface Escalated {
  id: string;
  teamId: string;
  severity: IncidentSeverity;
  monitorIds: string[];
}

/**
 * Finds the policy of each incident; incidents without a match are missing. Chooses the most specific match (a named monitor, then a tag, then all
 * monitors), then the strictest `minSeverity`, then the oldest policy. The database chooses, because a team may have many policies with a thousand
 * monitors each.
 */
export function findFitting(tx: Tx, incidents: Escalated[]): Promise<{ incidentId: string; policyId: string }[]> {
  // Raw: the first policy of each incident, by a computed order.
  return tx.$queryRaw`
    select incident.id as "incidentId", policy.id as "policyId"
    from jsonb_to_recordset(${JSON.stringify(incidents)}::jsonb)
      as incident (id text, "teamId" text, severity incident_severity, "monitorIds" text[])
    cross join lateral (
      select candidate.id from escalation_policies candidate
      cross join lateral (
        select case
          when exists (
            select 1 from escalation_policy_monitors named
            where named.policy_id = candidate.id and named.monitor_id = any(incident."monitorIds")
          ) then 2
          when exists (
            select 1 from monitors monitor where monitor.id = any(incident."monitorIds") and monitor.tags && candidate.tags
          ) then 1
          when candidate.all_monitors then 0
        end as closeness
      ) fit
      -- The enum is ordered, the most severe first.
      where candidate.team_id = incident."teamId" and incident.severity <= candidate.min_severity and fit.closeness is not null
      order by fit.closeness desc, candidate.min_severity, candidate.id collate "C"
      limit 1
    ) policy`;
}
