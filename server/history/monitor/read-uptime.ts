import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import type { Uptime, UptimeRange } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import { HOUR_MS } from '@/server/time/schema';
import { readHistories, uptimeIn } from '../read-histories';

/** The length of each range, in milliseconds. */
export const rangeMs: Record<UptimeRange, number> = {
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
  '90d': 90 * 24 * HOUR_MS,
};

/**
 * Returns a monitor's uptime in a range that ends now.
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
      num: true,
      intervalSeconds: true,
      config: true,
      watchChangedAt: true,
      formerWatchMs: true,
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
