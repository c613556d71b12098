import { setImmediate } from 'node:timers/promises';
import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import type { MaintenanceWindow as Window } from '@/server/platform/generated/prisma/client';
import { mostRelevant, occurrenceId, toCalendar } from '@/server/text/icalendar';
import type { Period } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';
import { type NamedMonitor, readNamed, readTagged, type TaggedMonitor } from './queries';
import { keptOccurrences } from './recurrence/kept-occurrences';
import { skippedOf } from './recurrence/recurrence';

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
 * Returns a function that names the monitors of a window. Keeps only as many monitors per tag as are named, so that the cost per window does not
 * grow with the team.
 * @param tagged those of the team with tags, by name
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
  isCancelled: boolean;
}

/** The occurrences of a window in a range, including skipped ones; for a window without a rule, at any time. */
async function occurrencesIn(window: Window, from: Date, to: Date): Promise<Event[]> {
  if (window.recurrence === null) return [{ startsAt: window.startsAt, endsAt: window.endsAt, isCancelled: false }];
  const skipped = skippedOf(window).filter((each) => each.endsAt > from && each.startsAt < to);
  return [
    ...(await keptOccurrences(window, from, to)).map((each) => ({ ...each, isCancelled: false })),
    ...skipped.map((each) => ({ ...each, isCancelled: true })),
  ];
}

const describe = ({ description }: { description: string | null }, monitors: string) =>
  `${description ? `${description}\n\n` : ''}Monitors: ${monitors}`;

/** The descriptions of windows by ID. Yields to other requests, because a team has up to 1,000 windows. */
async function describeAll(db: Db, teamId: string, windows: Window[]): Promise<Map<string, string>> {
  // One more than are named, to know whether there are more.
  const named = await readNamed(
    db,
    windows.map(({ id }) => id),
    MOST_NAMES + 1,
  );
  const nameScope = scopeNamer(await readTagged(db, teamId, [...new Set(windows.flatMap(({ tags }) => tags))]));
  const descriptions = new Map<string, string>();
  for (const window of windows) {
    await setImmediate();
    descriptions.set(window.id, describe(window, nameScope({ ...window, named: named.get(window.id) ?? [] })));
  }
  return descriptions;
}

/** The maintenance windows of a team with their descriptions and monitors as an iCalendar stream, one event per occurrence. */
export async function maintenanceCalendar(db: Db, { teamId }: { teamId: string }): Promise<string> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const from = new Date(today - PAST_MS);
  const to = new Date(today + AHEAD_MS);
  const [{ name }, windows] = await Promise.all([
    db.team.findUniqueOrThrow({ where: { id: teamId }, select: { name: true } }),
    db.maintenanceWindow.findMany({ where: { teamId, OR: [{ recurrence: { not: null } }, { endsAt: { gt: from } }] } }),
  ]);
  const all: (Event & { window: Window })[] = [];
  for (const window of windows) {
    for (const each of await occurrencesIn(window, from, to)) all.push({ ...each, window });
  }
  const shown = mostRelevant(all, new Date());
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
