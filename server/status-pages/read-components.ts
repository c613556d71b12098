import { dayStrip, readHistories, uptimeIn } from '@/server/history/read-histories';
import { maskConfig } from '@/server/monitors/config-secrets';
import type { MonitorStatus, MonitorType } from '@/server/monitors/schema';
import { targetOf } from '@/server/monitors/target-of';
import { knownUntil, type Watched } from '@/server/monitors/watch';
import type { Db } from '@/server/platform/db';
import { componentNames } from './component-names';
import { publicId } from './public-id';
import { BAR_DAYS, type Component } from './schema';

const DAY_MS = 86_400_000;

interface Row extends Watched {
  id: string;
  num: number;
  name: string;
  type: MonitorType;
  displayName: string | null;
  status: MonitorStatus;
  statusSince: Date;
  lastCheckedAt: Date | null;
}

export interface Components {
  /** In the page's order; `monitorId` stays inside. */
  list: { monitorId: string; component: Component }[];
  checkedAt: Date | null;
}

/** To the thousandth of a per cent that is shown, never up. */
function floorRatio(ratio: number | null): number | null {
  return ratio === null || ratio === 1 ? ratio : Math.min(0.99999, Math.floor(ratio * 100_000 + 1e-6) / 100_000);
}

/** A verdict that no check has confirmed for too long is one no more. */
function present({ status, statusSince }: Row, now: Date, watchedUntil: Date | null) {
  const isVerdict = status === 'up' || status === 'down' || status === 'degraded';
  if (!isVerdict || !watchedUntil || watchedUntil >= now) return { status, since: statusSince };
  return { status: 'unknown' as const, since: watchedUntil };
}

/** The monitors of a page as customers see them: three queries, however many there are. */
export async function readComponents(db: Db, statusPageId: string, now: Date): Promise<Components> {
  const rows = await db.$queryRaw<Row[]>`
    select m.id, m.num, m.name, m.type::text as type, p.display_name as "displayName", m.config, m.interval_seconds as "intervalSeconds",
      m.watch_changed_at as "watchChangedAt", m.former_watch_ms as "formerWatchMs", s.status::text as status,
      s.status_since as "statusSince", s.last_checked_at as "lastCheckedAt"
    from status_page_monitors p
      join monitors m on m.id = p.monitor_id
      join monitor_states s on s.monitor_id = m.id
    where p.status_page_id = ${statusPageId} order by p.position`;
  const from = new Date(now.getTime() - BAR_DAYS * DAY_MS);
  const histories = await readHistories(db, rows, [{ from, to: now }]);
  // Whole days in UTC; today is the last.
  const firstDay = Math.floor(now.getTime() / DAY_MS) - BAR_DAYS + 1;
  const names = componentNames(
    rows.map((row) => ({ ...row, target: targetOf(row.type, maskConfig(row.type, row.config)) })),
  );
  const list = rows.flatMap((row, index) => {
    const history = histories.get(row.num);
    if (!history) return [];
    const watchedUntil = knownUntil(row, row.lastCheckedAt);
    const { status, since } = present(row, now, watchedUntil);
    const component = {
      id: publicId(statusPageId, row.id),
      name: names[index] ?? '',
      status,
      since: since.toISOString(),
      uptime: floorRatio(uptimeIn(history, { from, to: now }).ratio),
      days: dayStrip(history, firstDay, BAR_DAYS, now),
    };
    return [{ monitorId: row.id, component }];
  });
  const checks = rows.flatMap(({ lastCheckedAt }) => (lastCheckedAt ? [lastCheckedAt.getTime()] : []));
  return { list, checkedAt: checks.length > 0 ? new Date(Math.max(...checks)) : null };
}
