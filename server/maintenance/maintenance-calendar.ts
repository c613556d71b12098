import { setImmediate } from 'node:timers/promises';
import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { mostRelevant, occurrenceId, toCalendar } from '@/server/text/icalendar';
import type { Period } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';
import { occurrencesOf, skippedOf, type Times } from './recurrence/recurrence';

/** A calendar contains windows that ended within this time, future windows, and the occurrences of rules in this range. */
export const PAST_MS = 14 * DAY_MS;
const AHEAD_MS = 92 * DAY_MS;
const MOST_NAMES = 20;

interface Monitor {
  id: string;
  name: string;
  tags: string[];
}

interface Scope {
  allMonitors: boolean;
  monitors: { monitorId: string }[];
  tags: string[];
}

/**
 * Returns a function that names the monitors of a window. Keeps only as many monitors per tag as are named, so that the cost per window does not
 * grow with the team.
 * @param monitors those of the team, by name
 */
export function scopeNamer(monitors: Monitor[]): (scope: Scope) => string {
  const rankById = new Map(monitors.map(({ id }, rank) => [id, rank]));
  const ranksByTag = new Map<string, number[]>();
  for (const [rank, { tags }] of monitors.entries()) {
    for (const tag of tags) {
      const ranks = ranksByTag.get(tag) ?? [];
      if (ranks.length <= MOST_NAMES) ranksByTag.set(tag, [...ranks, rank]);
    }
  }
  return ({ allMonitors, monitors: named, tags }) => {
    if (allMonitors) return 'all';
    const ranks = new Set([
      ...named.flatMap(({ monitorId }) => rankById.get(monitorId) ?? []),
      ...tags.flatMap((tag) => ranksByTag.get(tag) ?? []),
    ]);
    if (ranks.size === 0) return 'none';
    const names = [...ranks].sort((a, b) => a - b).map((rank) => monitors[rank]?.name);
    return [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ['and more'] : [])].join(', ');
  };
}

interface Event extends Period {
  isCancelled: boolean;
}

/** The occurrences of a window in a range, including skipped ones; for a window without a rule, at any time. */
function occurrencesIn(times: Times, from: Date, to: Date): Event[] {
  if (times.recurrence === null) return [{ startsAt: times.startsAt, endsAt: times.endsAt, isCancelled: false }];
  const skipped = skippedOf(times).filter((each) => each.endsAt > from && each.startsAt < to);
  return [
    ...occurrencesOf(times, from, to).map((each) => ({ ...each, isCancelled: false })),
    ...skipped.map((each) => ({ ...each, isCancelled: true })),
  ];
}

const MOST_KEPT = 1_000;
const kept = new Map<string, Event[]>();

/** Expands a window once a day and yields to other requests, because expanding a rule takes milliseconds and calendars are polled often. */
async function expand(window: Times & { id: string; updatedAt: Date }, from: Date, to: Date): Promise<Event[]> {
  const key = `${window.id} ${window.updatedAt.getTime()} ${from.getTime()}`;
  const known = kept.get(key);
  if (known) return known;
  await setImmediate();
  const events = occurrencesIn(window, from, to);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, events);
  return events;
}

const describe = ({ description }: { description: string | null }, monitors: string) =>
  `${description ? `${description}\n\n` : ''}Monitors: ${monitors}`;

/** The maintenance windows of a team with their descriptions and monitors as an iCalendar stream, one event per occurrence. */
export async function maintenanceCalendar(db: Db, { teamId }: { teamId: string }): Promise<string> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const from = new Date(today - PAST_MS);
  const to = new Date(today + AHEAD_MS);
  const [{ name }, windows, monitors] = await Promise.all([
    db.team.findUniqueOrThrow({ where: { id: teamId }, select: { name: true } }),
    db.maintenanceWindow.findMany({
      where: { teamId, OR: [{ recurrence: { not: null } }, { endsAt: { gt: from } }] },
      include: { monitors: { select: { monitorId: true } } },
    }),
    db.monitor.findMany({
      where: { teamId },
      select: { id: true, name: true, tags: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
    }),
  ]);
  const nameScope = scopeNamer(monitors);
  const all: (Event & { window: (typeof windows)[number] })[] = [];
  for (const window of windows) {
    for (const each of await expand(window, from, to)) all.push({ ...each, window });
  }
  const shown = mostRelevant(all, new Date());
  const descriptions = new Map(
    [...new Set(shown.map(({ window }) => window))].map((window) => [window, describe(window, nameScope(window))]),
  );
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
      description: descriptions.get(window) ?? '',
      url: `${env.appUrl}/maintenance/${window.id}`,
      isCancelled,
    };
  });
  return toCalendar({ kind: 'Maintenance', name: `Maintenance: ${name}` }, events);
}
