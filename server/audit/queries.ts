import { planLimits } from '@/server/plans/plans';
import { db } from '@/server/platform/db';

const historyDays = Object.fromEntries(Object.entries(planLimits).map(([plan, limits]) => [plan, limits.historyDays]));
const days = Object.values(historyDays);

/** Deletes entries past the retention of their team's plan, or past the longest if the team is gone. */
export function deleteExpired(limit: number): Promise<number> {
  // Raw: entries have no relation to teams, so no model call can compare their age with the plan's retention. Skips locked rows until the next run.
  return db.$executeRaw`
    delete from audit_entries where ctid = any(array(
      select ctid from audit_entries
      where team_id is not null and at < now() - make_interval(days => ${Math.min(...days)}::int)
        and at < now() - make_interval(days => coalesce(
          (select (${JSON.stringify(historyDays)}::jsonb ->> plan::text)::int from teams
           where teams.id = audit_entries.team_id),
          ${Math.max(...days)}::int))
      limit ${limit} for update skip locked))`;
}
