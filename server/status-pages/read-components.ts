import { dayTimes, readHistories, uptimeIn } from '@/server/history/read-histories';
import { type StateMs, toUptime, worstOf } from '@/server/history/uptime';
import { knownUntil, type Watched } from '@/server/history/watch';
import { maskConfig } from '@/server/monitors/config/config-secrets';
import { targetOf } from '@/server/monitors/config/target-of';
import { shownSelect, shownStatus } from '@/server/monitors/output/shown-status';
import type { MonitorStatus, MonitorType } from '@/server/monitors/schema';
import type { Db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { DAY_MS } from '@/server/time/schema';
import { componentNames } from './component-names';
import { publicId } from './public-id';
import { BAR_DAYS, type Component, type PublicDay } from './schema';

interface Row extends Watched {
  id: string;
  num: number;
  name: string;
  type: MonitorType;
  tags: string[];
  displayName: string | null;
  status: MonitorStatus;
  statusSince: Date;
  maintenance: Date[];
  lastCheckedAt: Date | null;
}

/** A monitor on a page with its public form. */
export interface PageComponent {
  monitor: { id: string; num: number; name: string; target: string; tags: string[] };
  component: Component;
}

export interface Components {
  /** In the page's order. */
  list: PageComponent[];
  checkedAt: Date | null;
}

/** Rounded down to the displayed thousandth of a percent. */
function floorRatio(ratio: number | null): number | null {
  return ratio === null || ratio === 1 ? ratio : Math.min(0.99999, Math.floor(ratio * 100_000 + 1e-6) / 100_000);
}

const notable = ['down', 'degraded', 'unknown', 'maintenance'] as const;

/** The days that are not fully "up" or "no data". */
function notableDays(times: StateMs[], firstDay: number): PublicDay[] {
  return times.flatMap((time, index) => {
    if (notable.every((state) => time[state] === 0)) return [];
    const seconds = (state: (typeof notable)[number]) => Math.round(time[state] / 1000);
    return {
      day: new Date((firstDay + index) * DAY_MS).toISOString().slice(0, 10),
      down: seconds('down'),
      degraded: seconds('degraded'),
      unknown: seconds('unknown'),
      maintenance: seconds('maintenance'),
      uptime: floorRatio(toUptime(time).ratio),
    };
  });
}

/** A status that no check has confirmed for too long becomes unknown. */
function present(row: Row, now: Date, watchedUntil: Date | null) {
  const { status, statusSince } = shownStatus(row, now);
  const isVerdict = status === 'up' || status === 'down' || status === 'degraded';
  if (!isVerdict || !watchedUntil || watchedUntil >= now) return { status, since: statusSince };
  return { status: 'unknown' as const, since: watchedUntil };
}

const componentSelect = {
  displayName: true,
  monitor: {
    select: {
      id: true,
      num: true,
      name: true,
      type: true,
      tags: true,
      config: true,
      intervalSeconds: true,
      watchChangedAt: true,
      formerWatchMs: true,
      states: { where: { region: '' }, select: { ...shownSelect, lastCheckedAt: true } },
    },
  },
} satisfies Prisma.StatusPageMonitorSelect;

/** The components of a page; the number of queries does not depend on the number of monitors. */
export async function readComponents(db: Db, statusPageId: string, now: Date): Promise<Components> {
  const components = await db.statusPageMonitor.findMany({
    where: { statusPageId },
    select: componentSelect,
    orderBy: { position: 'asc' },
  });
  const rows: Row[] = components.flatMap(
    ({
      displayName,
      monitor: {
        states: [state],
        ...monitor
      },
    }) => (state ? [{ displayName, ...monitor, ...state }] : []),
  );
  const from = new Date(now.getTime() - BAR_DAYS * DAY_MS);
  const histories = await readHistories(db, rows, [{ from, to: now }]);
  // Whole days in UTC; today is the last.
  const firstDay = Math.floor(now.getTime() / DAY_MS) - BAR_DAYS + 1;
  const monitors = rows.map((row) => ({ ...row, target: targetOf(row.type, maskConfig(row.type, row.config)) }));
  const names = componentNames(monitors);
  const list = monitors.flatMap((row, index) => {
    const history = histories.get(row.num);
    if (!history) return [];
    const watchedUntil = knownUntil(row, row.lastCheckedAt);
    const { status, since } = present(row, now, watchedUntil);
    const times = dayTimes(history, firstDay, BAR_DAYS, now);
    const component = {
      id: publicId(statusPageId, row.id),
      name: names[index] ?? '',
      status,
      since: since.toISOString(),
      uptime: floorRatio(uptimeIn(history, { from, to: now }).ratio),
      days: times.map(worstOf),
      notableDays: notableDays(times, firstDay),
    };
    return [{ monitor: { id: row.id, num: row.num, name: row.name, target: row.target, tags: row.tags }, component }];
  });
  const checks = rows.flatMap(({ lastCheckedAt }) => (lastCheckedAt ? [lastCheckedAt.getTime()] : []));
  return { list, checkedAt: checks.length > 0 ? new Date(Math.max(...checks)) : null };
}
