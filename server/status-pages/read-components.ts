import { scheduler } from 'node:timers/promises';
import { type History, readHistories } from '@/server/history/read-histories';
import { readSmallConfigs } from '@/server/history/small-config';
import { knownUntil, type Watched } from '@/server/history/watch';
import { maskConfig } from '@/server/monitor-types/config/config-secrets';
import { targetOf } from '@/server/monitor-types/config/target-of';
import { shownSelect, shownStatus } from '@/server/monitor-types/output/shown-status';
import type { MonitorStatus, MonitorType } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { componentNames } from './components/component-names';
import { barStart, toPublicComponent } from './components/public-component';
import { publicId } from './public-id';
import { readOwnComponents } from './read-own-components';
import type { Component } from './schema';

interface Row extends Watched {
  id: string;
  position: number;
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

/** A monitor or component on a page, with its public form. */
export interface PageComponent {
  /** The ID of the monitor or component. */
  id: string;
  monitor: PageMonitor | null;
  component: Component;
}

export interface PageMonitor {
  id: string;
  num: number;
  name: string;
  target: string;
  tags: string[];
}

export interface Components {
  /** In the page's order. */
  list: PageComponent[];
  checkedAt: Date | null;
}

/** The number of monitors whose histories are read and prepared in one turn of the thread: up to 300 rows each. */
const AT_ONCE = 25;

/** Returns the current status of a monitor and since when; unknown if its last check is no longer valid. */
function present(row: Row, now: Date, watchedUntil: Date | null) {
  const { status, statusSince } = shownStatus(row, now);
  const isVerdict = status === 'up' || status === 'down' || status === 'degraded';
  if (!isVerdict || !watchedUntil || watchedUntil >= now) return { status, since: statusSince };
  return { status: 'unknown' as const, since: watchedUntil };
}

const componentSelect = {
  displayName: true,
  position: true,
  monitor: {
    select: {
      id: true,
      num: true,
      name: true,
      type: true,
      tags: true,
      intervalSeconds: true,
      watchChangedAt: true,
      formerWatchMs: true,
      states: { where: { region: '' }, select: { ...shownSelect, lastCheckedAt: true } },
    },
  },
} satisfies Prisma.StatusPageMonitorSelect;

/** Reads the monitors and components of a page in their public form. Pauses for other requests, because large pages take long. */
export async function readComponents(db: Db, page: { id: string; teamId: string }, now: Date): Promise<Components> {
  const { id: statusPageId } = page;
  const components = await db.statusPageMonitor.findMany({
    where: { statusPageId },
    select: componentSelect,
    orderBy: { position: 'asc' },
  });
  const configs = await readSmallConfigs(
    db,
    components.map(({ monitor }) => monitor.num),
  );
  const rows: Row[] = components.flatMap(({ displayName, position, monitor: { states, ...monitor } }) => {
    const [state] = states;
    return state ? [{ displayName, position, ...monitor, config: configs.get(monitor.num) ?? {}, ...state }] : [];
  });
  const monitors = rows.map((row) => ({ ...row, target: targetOf(row.type, maskConfig(row.type, row.config)) }));
  const names = componentNames(monitors);
  const monitored: (PageComponent & { position: number })[] = [];
  let histories = new Map<number, History>();
  for (const [index, row] of monitors.entries()) {
    if (index % AT_ONCE === 0) {
      await scheduler.yield();
      histories = await readHistories(db, monitors.slice(index, index + AT_ONCE), [{ from: barStart(now), to: now }]);
    }
    const history = histories.get(row.num);
    if (!history) continue;
    const { id, position, num, name, target, tags } = row;
    const shown = {
      id: publicId(statusPageId, id),
      name: names[index] ?? '',
      description: '',
      ...present(row, now, knownUntil(row, row.lastCheckedAt)),
    };
    const component = toPublicComponent(shown, history, now);
    monitored.push({ id, position, monitor: { id, num, name, target, tags }, component });
  }
  const own = await readOwnComponents(db, page, now);
  const list = [...monitored, ...own].sort((a, b) => a.position - b.position);
  const checks = rows.flatMap(({ lastCheckedAt }) => (lastCheckedAt ? [lastCheckedAt.getTime()] : []));
  return { list, checkedAt: checks.length > 0 ? new Date(Math.max(...checks)) : null };
}
