import { readHistories, uptimeIn } from '@/server/history/read-histories';
import { parseTimeCursor } from '@/server/platform/cursor';
import type { Db } from '@/server/platform/db';
import { monitorNotFound } from './queries';
import type { Check, Uptime, UptimeRange } from './schema';
import { toCheck } from './to-check';

const HOUR_MS = 3_600_000;

/** How long each range is, in milliseconds. */
export const rangeMs: Record<UptimeRange, number> = {
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
  '90d': 90 * 24 * HOUR_MS,
};

/** A page of a monitor's checks, latest first. @throws AppError NOT_FOUND, VALIDATION_ERROR (cursor) */
export async function listChecks(
  db: Db,
  teamId: string,
  { id, limit, cursor }: { id: string; limit: number; cursor?: string | undefined },
): Promise<{ checks: Check[]; nextCursor: string | null }> {
  const before = cursor === undefined ? null : parseTimeCursor(cursor);
  const monitor = await db.monitor.findFirst({ where: { id, teamId }, select: { num: true } });
  if (!monitor) throw monitorNotFound();
  const rows = await db.check.findMany({
    where: { monitorNum: monitor.num, ...(before && { at: { lt: before } }) },
    orderBy: { at: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  return {
    checks: page.map((row) => toCheck(id, row)),
    nextCursor: rows.length > limit ? (page.at(-1)?.at.toISOString() ?? null) : null,
  };
}

/** A monitor's uptime in a range that ends now. @throws AppError NOT_FOUND */
export async function readUptime(
  db: Db,
  teamId: string,
  { id, range }: { id: string; range: UptimeRange },
): Promise<Uptime> {
  const monitor = await db.monitor.findFirst({
    where: { id, teamId },
    select: { num: true, intervalSeconds: true, config: true, state: { select: { lastCheckedAt: true } } },
  });
  if (!monitor) throw monitorNotFound();
  const to = new Date();
  const from = new Date(to.getTime() - rangeMs[range]);
  const watched = { ...monitor, lastCheckedAt: monitor.state?.lastCheckedAt ?? null };
  const history = (await readHistories(db, [watched], [{ from, to }])).get(monitor.num);
  if (!history) throw monitorNotFound();
  return { range, from: from.toISOString(), to: to.toISOString(), ...uptimeIn(history, { from, to }) };
}
