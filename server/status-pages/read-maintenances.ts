import { type ListedWindow, readWindows, withChanges } from '@/server/maintenance/listed-windows';
import { nextOccurrence, type Times } from '@/server/maintenance/recurrence/recurrence';
import type { Db } from '@/server/platform/db';
import { takeLoopTurn } from '@/server/platform/loop-share';
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

/** Returns whether pages show a future occurrence of a window yet. */
const isAnnouncedBy = ({ announceHours }: ListedWindow, { startsAt }: Period, now: Date) =>
  announceHours === null || startsAt.getTime() - announceHours * HOUR_MS <= now.getTime();

/** An occurrence of a window. */
interface Shown extends Period {
  row: ListedWindow;
}

const MOST_KEPT = 5_000;
/** Caches the planned occurrences of windows by version, until the next one starts or ends. */
const kept = new Map<string, { from: number; until: number; planned: Period[] }>();
const keyOf = ({ id, updatedAt }: ListedWindow) => `${id} ${updatedAt.getTime()}`;

function keptOf(row: ListedWindow, now: Date): Period[] | null {
  const known = kept.get(keyOf(row));
  return known && known.from <= now.getTime() && now.getTime() < known.until ? known.planned : null;
}

/** Finds the current or next occurrence, and for a recurring window also the one after the current. */
function expand(row: ListedWindow & Times, now: Date): Period[] {
  const first = nextOccurrence(row, now);
  const isRunning = first !== null && first.startsAt <= now;
  const second = isRunning && row.recurrence !== null ? nextOccurrence(row, first.endsAt) : null;
  const planned = [first, second].filter((each) => each !== null);
  const until = first ? (isRunning ? first.endsAt : first.startsAt).getTime() : now.getTime() + DAY_MS;
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(keyOf(row), { from: now.getTime(), until, planned });
  return planned;
}

/**
 * Returns the current and next occurrences of windows that are announced. Caches them until they change, because rules take milliseconds and pages
 * are read often. Takes turns with other teams.
 */
async function plannedOf(db: Db, rows: ListedWindow[], now: Date): Promise<Shown[]> {
  const found = rows.map((row) => ({ row, planned: keptOf(row, now) }));
  const missing = found.filter(({ planned }) => planned === null).map(({ row }) => row);
  for (const row of await withChanges(db, missing)) {
    await takeLoopTurn(row.teamId);
    found.push({ row, planned: expand(row, now) });
  }
  return found.flatMap(({ row, planned }) =>
    (planned ?? []).filter((each) => isAnnouncedBy(row, each, now)).map((each) => ({ ...each, row })),
  );
}

/** Returns the past occurrences of windows: of recurring ones as they took place, because the current rule may differ. */
async function readPassed(db: Db, rows: ListedWindow[], nums: number[], { since, now }: { since: Date; now: Date }) {
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

const byStart = (a: Period, b: Period) => a.startsAt.getTime() - b.startsAt.getTime();

/**
 * Reads the announced maintenance windows of the page's monitors with title and times: active and upcoming ones, soonest first, and those of the last
 * 90 days, latest first. Leaves out internal descriptions.
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
  const where = {
    isAnnounced: true,
    AND: [
      { OR: [{ recurrence: { not: null } }, { endsAt: { gt: since } }] },
      { OR: [{ allMonitors: true }, { monitors: { some: { monitorId } } }, { tags: { hasSome: tags } }] },
    ],
  };
  const rows: ListedWindow[] = [];
  let coming: Shown[] = [];
  for await (const some of readWindows(db, teamId, where)) {
    rows.push(...some);
    coming = [...coming, ...(await plannedOf(db, some, now))].sort(byStart).slice(0, MOST_PLANNED);
  }
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
  const past = passed.flatMap(({ windowId, ...each }) => {
    const row = byId.get(windowId);
    return row ? [{ ...each, row }] : [];
  });
  const over = past.sort((a, b) => byStart(b, a)).slice(0, MOST_PAST);
  const named = await readWindowMonitors(db, [...new Set([...coming, ...over].map(({ row }) => row.id))], monitorId.in);
  const shown = (all: Shown[]) => all.map((each) => toPublic(each, named.get(each.row.id)));
  return { maintenances: shown(coming), pastMaintenances: shown(over) };
}
