import { readHistories, uptimeIn } from '@/server/history/read-histories';
import { invalidCursor, parseTimeCursor } from '@/server/platform/cursor';
import type { Db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { monitorNotFound } from '../queries';
import { type Check, Region, type Uptime, type UptimeRange } from '../schema';
import { toCheck } from '../to-check';

const HOUR_MS = 3_600_000;

/** The length of each range, in milliseconds. */
export const rangeMs: Record<UptimeRange, number> = {
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
  '90d': 90 * 24 * HOUR_MS,
};

/**
 * The position after a cursor "<time>_<region>"; a time alone continues with what is older.
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
 * A page of a monitor's checks, latest first. Regions may check in the same millisecond, so the cursor is "<at>_<region>" of the last check of the
 * previous page.
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

/**
 * A monitor's uptime in a range that ends now.
 * @throws AppError NOT_FOUND
 */
export async function readUptime(
  db: Db,
  teamId: string,
  { id, range }: { id: string; range: UptimeRange },
): Promise<Uptime> {
  const monitor = await db.monitor.findFirst({
    where: { id, teamId },
    select: {
      ...{ num: true, intervalSeconds: true, config: true, watchChangedAt: true, formerWatchMs: true },
      states: { where: { region: '' }, select: { lastCheckedAt: true } },
    },
  });
  if (!monitor) throw monitorNotFound();
  const to = new Date();
  const from = new Date(to.getTime() - rangeMs[range]);
  const watched = { ...monitor, lastCheckedAt: monitor.states[0]?.lastCheckedAt ?? null };
  const history = (await readHistories(db, [watched], [{ from, to }])).get(monitor.num);
  if (!history) throw monitorNotFound();
  return { range, from: from.toISOString(), to: to.toISOString(), ...uptimeIn(history, { from, to }) };
}
