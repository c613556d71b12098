import { planLimits } from '@/server/billing/plans';
import { Prisma } from '@/server/platform/generated/prisma/client';

const historyDays = Object.fromEntries(Object.entries(planLimits).map(([plan, limits]) => [plan, limits.historyDays]));
const days = Object.values(historyDays);

/**
 * Which rows of `audit_entries` are older than the history of their team's plan. An entry without a team, such as that of
 * a forced deletion, is the only record of what it tells and stays for good.
 */
export const expiredEntries = Prisma.sql`
  team_id is not null and at < now() - make_interval(days => ${Math.min(...days)}::int)
  and at < now() - make_interval(days => coalesce(
    (select (${JSON.stringify(historyDays)}::jsonb ->> plan::text)::int from teams where teams.id = audit_entries.team_id),
    ${Math.max(...days)}::int))`;
