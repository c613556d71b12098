import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import { type Check, Region } from '@/server/monitor-types/schema';
import { invalidCursor, parseTimeCursor } from '@/server/platform/cursor';
import type { Db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { toCheck } from './to-check';

/**
 * Returns the condition for the checks after a cursor "<time>_<region>". A cursor with only a time continues with older checks.
 * @throws AppError VALIDATION_ERROR
 */
function after(cursor: string | undefined): Prisma.CheckWhereInput {
  if (cursor === undefined) return {};
  const [time = '', region, ...rest] = cursor.split('_');
  const at = parseTimeCursor(time);
  if (region === undefined) return { at: { lt: at } };
  if (rest.length > 0 || !Region.safeParse(region).success) throw invalidCursor();
  // Redundant, but an index and partition pruning use this condition.
  return { at: { lte: at }, OR: [{ at: { lt: at } }, { region: { lt: region } }] };
}

/**
 * Returns a page of a monitor's checks, latest first. Regions may check in the same millisecond, so the cursor is "<at>_<region>" of the last check
 * of the previous page.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (cursor)
 */
export async function listChecks(
  db: Db,
  teamId: string,
  { id, limit, cursor }: { id: string; limit: number; cursor?: string | undefined },
): Promise<{ checks: Check[]; nextCursor: string | null }> {
  const where = after(cursor);
  const monitor = await db.monitor.findFirst({ where: { id, teamId }, select: { num: true } });
  if (!monitor) throw monitorNotFound();
  const rows = await db.check.findMany({
    where: { ...where, monitorNum: monitor.num },
    orderBy: [{ at: 'desc' }, { region: 'desc' }],
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    checks: page.map((row) => toCheck(id, row)),
    nextCursor: last ? `${last.at.toISOString()}_${last.region}` : null,
  };
}
