import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';
import { daysFromHours, hoursFromChecks } from './latency/histogram-sql';
import { readKnown, type WatchedMonitor } from './read-known';
import { STATES, stateColumns, stateTypes, stateUpdates, toColumns } from './state-columns';
import { type StateMs, timeInParts } from './uptime';

const units = {
  hour: { ms: HOUR_MS, table: Prisma.raw('check_hours'), column: Prisma.raw('hour'), source: hoursFromChecks },
  day: { ms: DAY_MS, table: Prisma.raw('check_days'), column: Prisma.raw('day'), source: daysFromHours },
};

interface Parts {
  /** Start and exclusive end, in whole hours or days since 1970. */
  from: number;
  to: number;
  /** The first hour or day with raw results. Before it, checks and latencies stay unchanged. */
  sourceFrom: number;
}

const isSome = (time: StateMs) => STATES.some((state) => time[state] > 0);

/**
 * Rolls up hours or days of monitors; idempotent. Computes the time per status from spans, checks and latencies of an hour from raw results, and
 * those of a day from its hours. Does not write unchanged rows.
 */
export async function rollUp(
  db: Db,
  unit: keyof typeof units,
  monitors: WatchedMonitor[],
  { from, to, sourceFrom }: Parts,
): Promise<void> {
  if (from >= to || monitors.length === 0) return;
  const { ms, table, column, source } = units[unit];
  const range = { from: new Date(from * ms), to: new Date(to * ms) };
  const nums = monitors.map(({ num }) => num);
  const known = await readKnown(
    db,
    monitors,
    nums.map((num) => ({ num, ...range, grids: [{ from: 0, ms }] })),
  );
  const rows = [...known].flatMap(([num, each]) =>
    timeInParts(each, { from: range.from, partMs: ms, parts: to - from }).flatMap((time, index) =>
      isSome(time) ? [{ num, part: from + index, ...toColumns(time) }] : [],
    ),
  );
  // Raw: a set-based upsert that does not write unchanged rows.
  await db.$executeRaw`
    insert into ${table} as kept (monitor_num, ${column}, checks, latencies, ${stateColumns})
    select r.num, r.part, coalesce(s.checks, 0), coalesce(s.latencies, ''), ${stateColumns}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (num int, part int, ${stateTypes})
    left join (${source(nums, Math.max(from, sourceFrom), to)}) s on s.monitor_num = r.num and s.${column} = r.part
    on conflict (monitor_num, ${column}) do update set ${stateUpdates},
      checks = case when kept.${column} < ${sourceFrom}::int then kept.checks else excluded.checks end,
      latencies = case when kept.${column} < ${sourceFrom}::int then kept.latencies else excluded.latencies end
    where kept.* is distinct from excluded.*`;
}
