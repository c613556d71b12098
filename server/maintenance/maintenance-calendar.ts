import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { occurrenceId, toCalendar } from '@/server/text/icalendar';
import { DAY_MS } from '@/server/time/schema';
import { occurrencesOf, skippedOf, type Times } from './recurrence';

/** A calendar has the windows that ended lately, those to come, and of a rule the occurrences of so many days. */
const PAST_MS = 14 * DAY_MS;
const AHEAD_MS = 92 * DAY_MS;
const MOST_EVENTS = 2_000;
const MOST_NAMES = 20;

interface Monitor {
  id: string;
  name: string;
  tags: string[];
}

function namesText(names: string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [];
  return [...names.slice(0, MOST_NAMES), ...more].join(', ');
}

/** When a window takes place, also where that was skipped; one that takes place once, at any time. */
function occurrencesIn(times: Times, from: Date, to: Date) {
  if (times.recurrence === null) return [{ startsAt: times.startsAt, endsAt: times.endsAt, isCancelled: false }];
  const skipped = skippedOf(times).filter((each) => each.endsAt > from && each.startsAt < to);
  return [
    ...occurrencesOf(times, from, to).map((each) => ({ ...each, isCancelled: false })),
    ...skipped.map((each) => ({ ...each, isCancelled: true })),
  ];
}

/** All maintenance windows of a team with their descriptions and monitors as an iCalendar stream, one event for each occurrence. */
export async function maintenanceCalendar(db: Db, { teamId }: { teamId: string }): Promise<string> {
  const now = Date.now();
  const from = new Date(now - PAST_MS);
  const to = new Date(now + AHEAD_MS);
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
  const events = windows.flatMap((window) => {
    const named = new Set(window.monitors.map(({ monitorId }) => monitorId));
    const isIn = ({ id, tags }: Monitor) => named.has(id) || tags.some((tag) => window.tags.includes(tag));
    const scope = window.allMonitors ? 'all' : namesText(monitors.filter(isIn).map((monitor) => monitor.name));
    return occurrencesIn(window, from, to).map(({ isCancelled, ...occurrence }) => {
      const startsAt = occurrence.startsAt.toISOString();
      return {
        id: window.recurrence === null ? window.id : occurrenceId(window.id, startsAt),
        startsAt,
        endsAt: occurrence.endsAt.toISOString(),
        createdAt: window.createdAt.toISOString(),
        updatedAt: window.updatedAt.toISOString(),
        title: window.title,
        description: [...(window.description ? [window.description, ''] : []), `Monitors: ${scope}`].join('\n'),
        url: `${env.appUrl}/maintenance/${window.id}`,
        isCancelled,
      };
    });
  });
  const soonest = events.sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1)).slice(0, MOST_EVENTS);
  return toCalendar({ kind: 'Maintenance', name: `Maintenance: ${name}` }, soonest);
}
