import { planLimits } from '@/server/plans/plans';
import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { DAY_MS } from '@/server/time/schema';
import { HOURS_A_DAY } from './time';

/** Returns for how many days hourly roll-ups are kept: longer than charts of 30 days read them, and than raw results can rebuild them. */
export function hoursKeptDays(): number {
  return Math.max(35, env.rawRetentionDays + 1);
}

const historyDays = Object.fromEntries(Object.entries(planLimits).map(([plan, limits]) => [plan, limits.historyDays]));

/** Deletes the history of monitors past its retention: hourly roll-ups after a fixed time; daily ones, spans and maintenance by the team's plan. */
export async function expire(db: Db, nums: number[], now: Date): Promise<void> {
  const today = Math.floor(now.getTime() / DAY_MS);
  const firstHour = (today - hoursKeptDays()) * HOURS_A_DAY;
  await db.checkHour.deleteMany({ where: { monitorNum: { in: nums }, hour: { lt: firstHour } } });
  // Raw: the cutoff differs by monitor, and one statement deletes from three tables.
  await db.$executeRaw`
    with kept as materialized (
      select m.num, ${today}::int - (${JSON.stringify(historyDays)}::jsonb ->> t.plan::text)::int as first_day
      from monitors m join teams t on t.id = m.team_id where m.num = any(${nums}::int[])
    ), days as (
      delete from check_days d using kept k where d.monitor_num = k.num and d.day < k.first_day
    ), periods as (
      delete from maintenance_periods p using kept k
      where p.monitor_num = k.num and p.ends_at < to_timestamp(k.first_day * 86400.0)
    )
    delete from status_spans s using kept k
    where s.monitor_num = k.num and s.ended_at < to_timestamp(k.first_day * 86400.0)`;
}
