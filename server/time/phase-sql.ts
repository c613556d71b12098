import { Prisma } from '@/server/platform/generated/prisma/client';
import { GOLDEN } from './phase';

type Sql = Prisma.Sql;

/**
 * The rule of `phase.ts` in SQL: the position of a monitor's checks in its interval, as a fraction of the interval.
 * @param monitorNum an expression of the monitor's number
 * @param phaseShift how far a region's checks lie behind those of the first region, as a fraction of the interval
 */
export function phaseSql(monitorNum: Sql, phaseShift: Sql = Prisma.sql`0`): Sql {
  const turns = Prisma.sql`(${monitorNum} * ${GOLDEN}::float8 + ${phaseShift})`;
  return Prisma.sql`(${turns} - floor(${turns}))`;
}

/**
 * `nextDue` in SQL: the first time after `after` at which a monitor is due.
 * @param phase an expression by `phaseSql`
 * @param intervalSeconds an integer expression
 * @param after an expression of a `timestamptz` with whole milliseconds
 */
export function nextDueSql(phase: Sql, intervalSeconds: Sql, after: Sql): Sql {
  const size = Prisma.sql`(${intervalSeconds} * 1000::float8)`;
  const start = Prisma.sql`floor(${phase} * ${size})`;
  const passed = Prisma.sql`floor((extract(epoch from ${after})::float8 * 1000 - ${start}) / ${size})`;
  return Prisma.sql`to_timestamp(((${passed} + 1) * ${size} + ${start}) / 1000)`;
}
