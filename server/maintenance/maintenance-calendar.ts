import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { mostRelevant, occurrenceId, toCalendar } from '@/server/text/icalendar';
import type { Period } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';
import { type ListedWindow, readWindows, withChanges } from './listed-windows';
import { type NamedMonitor, readNamed, readTagged, type TaggedMonitor } from './queries';
import { keptOccurrences } from './recurrence/kept-occurrences';

/** A calendar contains windows that ended within this time, future windows, and the occurrences of rules in this range. */
export const PAST_MS = 14 * DAY_MS;
const AHEAD_MS = 92 * DAY_MS;
const MOST_NAMES = 20;

interface Scope {
  allMonitors: boolean;
  named: NamedMonitor[];
  tags: string[];
}

const byName = (one: NamedMonitor, other: NamedMonitor) =>
  one.name < other.name || (one.name === other.name && one.id < other.id) ? -1 : 1;

/**
 * Returns a function that names the monitors of a window: "all", "none", or up to 20 names. Keeps only as many monitors per tag as are named, so that
 * the cost per window does not grow with the team.
 * @param tagged the monitors of the team with tags, ordered by name
 */
export function scopeNamer(tagged: TaggedMonitor[]): (scope: Scope) => string {
  const byTag = new Map<string, NamedMonitor[]>();
  for (const { tags, ...monitor } of tagged) {
    for (const tag of tags) {
      const known = byTag.get(tag) ?? [];
      byTag.set(tag, known);
      if (known.length <= MOST_NAMES) known.push(monitor);
    }
  }
  return ({ allMonitors, named, tags }) => {
    if (allMonitors) return 'all';
    const found = [...named, ...tags.flatMap((tag) => byTag.get(tag) ?? [])];
    const names = [...new Map(found.map((each) => [each.id, each])).values()].sort(byName).map(({ name }) => name);
    if (names.length === 0) return 'none';
    return [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ['and more'] : [])].join(', ');
  };
}

interface Event extends Period {
  window: ListedWindow;
  isCancelled: boolean;
}

/** Returns the occurrences of windows in a range, including skipped ones as cancelled. A window without recurrence is returned whatever its time. */
async function eventsIn(db: Db, windows: ListedWindow[], range: { from: Date; to: Date }): Promise<Event[]> {
  const expanded = await keptOccurrences(
    windows,
    () => range,
    (missing) => withChanges(db, missing),
  );
  return expanded.flatMap(({ window, occurrences, skipped }) => {
    const { startsAt, endsAt } = window;
    if (window.recurrence === null) return [{ startsAt, endsAt, window, isCancelled: false }];
    return [
      ...occurrences.map((each) => ({ ...each, window, isCancelled: false })),
      ...skipped.map((each) => ({ ...each, window, isCancelled: true })),
    ];
  });
}

/** Reads the internal descriptions of windows by ID. */
async function readDescriptions(db: Db, ids: string[]): Promise<Map<string, string | null>> {
  const rows = await db.maintenanceWindow.findMany({
    where: { id: { in: ids } },
    select: { id: true, description: true },
  });
  return new Map(rows.map(({ id, description }) => [id, description]));
}

const describe = (description: string | null, monitors: string) =>
  `${description ? `${description}\n\n` : ''}Monitors: ${monitors}`;

/** The number of windows that are described in a turn. */
const AT_ONCE = 50;

/** Builds the calendar descriptions of windows by ID. Takes turns with other teams, because a team has up to 1,000 windows. */
async function describeAll(db: Db, teamId: string, windows: ListedWindow[]): Promise<Map<string, string>> {
  const nameScope = scopeNamer(await readTagged(db, teamId, [...new Set(windows.flatMap(({ tags }) => tags))]));
  const descriptions = new Map<string, string>();
  for (let first = 0; first < windows.length; first += AT_ONCE) {
    await takeLoopTurn(teamId);
    const some = windows.slice(first, first + AT_ONCE);
    const ids = some.map(({ id }) => id);
    // One more than are named, to know whether there are more.
    const named = await readNamed(db, ids, MOST_NAMES + 1);
    const texts = await readDescriptions(db, ids);
    for (const window of some) {
      const monitors = nameScope({ ...window, named: named.get(window.id) ?? [] });
      descriptions.set(window.id, describe(texts.get(window.id) ?? null, monitors));
    }
  }
  return descriptions;
}

/** Returns the maintenance windows of a team with their descriptions and monitors as an iCalendar stream, one event per occurrence. */
export async function maintenanceCalendar(db: Db, { teamId }: { teamId: string }): Promise<string> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const from = new Date(today - PAST_MS);
  const to = new Date(today + AHEAD_MS);
  const { name } = await db.team.findUniqueOrThrow({ where: { id: teamId }, select: { name: true } });
  const now = new Date();
  let shown: Event[] = [];
  const where = { OR: [{ recurrence: { not: null } }, { endsAt: { gt: from } }] };
  for await (const windows of readWindows(db, teamId, where)) {
    shown = mostRelevant([...shown, ...(await eventsIn(db, windows, { from, to }))], now);
  }
  const descriptions = await describeAll(db, teamId, [...new Set(shown.map(({ window }) => window))]);
  const events = shown.map(({ window, isCancelled, ...occurrence }) => {
    const startsAt = occurrence.startsAt.toISOString();
    return {
      id: window.recurrence === null ? window.id : occurrenceId(window.id, startsAt),
      startsAt,
      endsAt: occurrence.endsAt.toISOString(),
      createdAt: window.createdAt.toISOString(),
      updatedAt: window.updatedAt.toISOString(),
      sequence: window.sequence,
      title: window.title,
      description: descriptions.get(window.id) ?? '',
      url: `${env.appUrl}/maintenance/${window.id}`,
      isCancelled,
    };
  });
  return toCalendar({ kind: 'Maintenance', name: `Maintenance: ${name}` }, events);
}
