import { setImmediate } from 'node:timers/promises';
import { nextOccurrence } from '@/server/maintenance/recurrence/recurrence';
import type { Db } from '@/server/platform/db';
import type { MaintenanceWindow as Row } from '@/server/platform/generated/prisma/client';
import type { Period } from '@/server/time/edges';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';
import { readWindowMonitors } from './page-queries';
import { publicId } from './public-id';
import type { PageComponent, PageMonitor } from './read-components';
import type { PublicMaintenance } from './schema';

const PAST_DAYS = 90;
/** The maximum number of windows on a page. */
const MOST_PLANNED = 20;
const MOST_PAST = 50;

/** Whether pages already show a future window. */
const isAnnouncedBy = ({ announceHours }: Row, { startsAt }: Period, now: Date) =>
  announceHours === null || startsAt.getTime() - announceHours * HOUR_MS <= now.getTime();

const MOST_KEPT = 5_000;
/** Caches the next occurrence of each window: until it ends, or for a day if there is none. */
const kept = new Map<string, { from: Date; next: Period | null }>();

/** Like `nextOccurrence`, but cached, because expanding a rule takes up to a millisecond and pages are read often. Yields to other requests. */
async function nextOf(row: Row, at: Date): Promise<Period | null> {
  if (row.recurrence === null) return nextOccurrence(row, at);
  const key = `${row.id} ${row.updatedAt.getTime()}`;
  const known = kept.get(key);
  const until = known && (known.next?.endsAt.getTime() ?? known.from.getTime() + DAY_MS);
  if (known && until !== undefined && known.from <= at && at.getTime() < until) return known.next;
  await setImmediate();
  const next = nextOccurrence(row, at);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, { from: at, next });
  return next;
}

/** The current or next occurrence, and for a recurring window also the one after the current. */
async function plannedOf(row: Row, now: Date): Promise<Period[]> {
  const first = await nextOf(row, now);
  if (!first) return [];
  const second = first.startsAt <= now && row.recurrence !== null ? nextOccurrence(row, first.endsAt) : null;
  return [first, ...(second ? [second] : [])].filter((each) => isAnnouncedBy(row, each, now));
}

/** The past periods of recurring windows as they were planned. The current rule may differ. */
async function readPassed(db: Db, rows: Row[], nums: number[], { since, now }: { since: Date; now: Date }) {
  const passed = await db.maintenancePeriod.groupBy({
    by: ['windowId', 'startsAt', 'endsAt'],
    where: {
      windowId: { in: rows.filter(({ recurrence }) => recurrence !== null).map(({ id }) => id) },
      monitorNum: { in: nums },
      endsAt: { lte: now, gt: since },
    },
    orderBy: { startsAt: 'desc' },
    take: MOST_PAST,
  });
  const once = rows.filter(({ recurrence, endsAt }) => recurrence === null && endsAt <= now);
  return [...passed, ...once.map(({ id, startsAt, endsAt }) => ({ windowId: id, startsAt, endsAt }))];
}

/** An occurrence of a window. */
interface Shown extends Period {
  row: Row;
}

const byStart = (a: Period, b: Period) => a.startsAt.getTime() - b.startsAt.getTime();

/**
 * The announced maintenance windows of the page's monitors with title and times: active and upcoming ones, soonest first, and those of the last 90
 * days, latest first. Omits internal descriptions.
 */
export async function readMaintenances(
  db: Db,
  { id, teamId }: { id: string; teamId: string },
  components: PageComponent[],
  now: Date,
): Promise<{ maintenances: PublicMaintenance[]; pastMaintenances: PublicMaintenance[] }> {
  const on = components.flatMap(({ monitor, component }) => (monitor ? [{ monitor, component }] : []));
  const monitorId = { in: on.map(({ monitor }) => monitor.id) };
  const since = new Date(now.getTime() - PAST_DAYS * DAY_MS);
  const tags = [...new Set(on.flatMap(({ monitor }) => monitor.tags))];
  const rows = await db.maintenanceWindow.findMany({
    where: {
      teamId,
      isAnnounced: true,
      AND: [
        { OR: [{ recurrence: { not: null } }, { endsAt: { gt: since } }] },
        { OR: [{ allMonitors: true }, { monitors: { some: { monitorId } } }, { tags: { hasSome: tags } }] },
      ],
    },
  });
  const toPublic = ({ row, startsAt, endsAt }: Shown, named: ReadonlySet<string> | undefined): PublicMaintenance => {
    const isIn = ({ monitor }: { monitor: PageMonitor }) =>
      row.allMonitors || named?.has(monitor.id) || row.tags.some((tag) => monitor.tags.includes(tag));
    return {
      // Each occurrence of a window has an entry of its own.
      id: publicId(id, row.recurrence === null ? row.id : `${row.id} ${startsAt.toISOString()}`),
      title: row.title,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      sequence: row.sequence,
      componentIds: on.filter(isIn).map(({ component }) => component.id),
    };
  };
  const byId = new Map(rows.map((row) => [row.id, row]));
  const passed = await readPassed(
    db,
    rows,
    on.map(({ monitor }) => monitor.num),
    { since, now },
  );
  const planned: Shown[] = [];
  for (const row of rows) for (const each of await plannedOf(row, now)) planned.push({ ...each, row });
  const past = passed.flatMap(({ windowId, ...each }) => {
    const row = byId.get(windowId);
    return row ? [{ ...each, row }] : [];
  });
  const coming = planned.sort(byStart).slice(0, MOST_PLANNED);
  const over = past.sort((a, b) => byStart(b, a)).slice(0, MOST_PAST);
  const named = await readWindowMonitors(db, [...new Set([...coming, ...over].map(({ row }) => row.id))], monitorId.in);
  const shown = (all: Shown[]) => all.map((each) => toPublic(each, named.get(each.row.id)));
  return { maintenances: shown(coming), pastMaintenances: shown(over) };
}
