import { Prisma } from '@/server/platform/generated/prisma/client';
import { GOLDEN } from './phase';

type Sql = Prisma.Sql;

/**
 * Returns SQL for the position of a monitor's checks in its interval: that of `phaseMs`, but as a fraction of the interval.
 * @param monitorNum an SQL expression for the monitor's number
 * @param phaseShift how far a region's checks lie behind those of the first region, as a fraction of the interval
 */
export function phaseSql(monitorNum: Sql, phaseShift: Sql = Prisma.sql`0`): Sql {
  const turns = Prisma.sql`(${monitorNum} * ${GOLDEN}::float8 + ${phaseShift})`;
  return Prisma.sql`(${turns} - floor(${turns}))`;
}

/**
 * Returns SQL for `nextDue`: the first time after `after` at which a monitor is due.
 * @param phase an expression from `phaseSql`
 * @param intervalSeconds an integer expression
 * @param after a `timestamptz` expression with whole milliseconds
 */
export function nextDueSql(phase: Sql, intervalSeconds: Sql, after: Sql): Sql {
  const size = Prisma.sql`(${intervalSeconds} * 1000::float8)`;
  const start = Prisma.sql`floor(${phase} * ${size})`;
  const passed = Prisma.sql`floor((extract(epoch from ${after})::float8 * 1000 - ${start}) / ${size})`;
  return Prisma.sql`to_timestamp(((${passed} + 1) * ${size} + ${start}) / 1000)`;
}
