import { takeLoopTurn } from '@/server/platform/loop-share';
import type { Period } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';
import { occurrencesOf, skippedOf, type Times } from './recurrence';

/** The maximum number of cached occurrences: those of a thousand windows in a calendar, twice. */
const MOST_KEPT = 200_000;

/** A version of a window without the changes of its single occurrences. */
export type Version = Pick<Times, 'startsAt' | 'endsAt' | 'recurrence' | 'timezone'> & {
  id: string;
  teamId: string;
  updatedAt: Date;
};

interface Expanded {
  occurrences: Period[];
  skipped: Period[];
}

/** The occurrences of windows by version and range, the oldest entries first. */
const kept = new Map<string, Expanded>();
let count = 0;

const sizeOf = ({ occurrences, skipped }: Expanded) => occurrences.length + skipped.length + 1;

function keep(key: string, expanded: Expanded): void {
  kept.set(key, expanded);
  count += sizeOf(expanded);
  for (const [oldest, each] of kept) {
    if (count <= MOST_KEPT) break;
    kept.delete(oldest);
    count -= sizeOf(each);
  }
}

const during =
  ({ from, to }: Range) =>
  ({ startsAt, endsAt }: Period) =>
    startsAt < to && endsAt > from;

interface Range {
  from: Date;
  to: Date;
}

/**
 * Returns, for each window, the occurrences that overlap a range (`occurrencesOf`), and the skipped ones. Caches them for whole days and for each
 * version of a window, because a rule takes milliseconds to expand, a team may have a thousand windows, and calendars are polled. Takes turns with
 * other teams.
 * @param rangeOf returns the range of a window
 * @param complete reads the changed and skipped occurrences of windows that are not cached
 */
export async function keptOccurrences<Window extends Version>(
  windows: Window[],
  rangeOf: (window: Window) => Range,
  complete: (windows: Window[]) => Promise<(Window & Times)[]>,
): Promise<(Expanded & { window: Window })[]> {
  const asked = windows.map((window) => {
    const range = rangeOf(window);
    const [first, last] = [Math.floor(range.from.getTime() / DAY_MS), Math.ceil(range.to.getTime() / DAY_MS)];
    const key = `${window.id} ${window.updatedAt.getTime()} ${first} ${last}`;
    const days = { from: new Date(first * DAY_MS), to: new Date(last * DAY_MS) };
    return { window, range, key, days, known: kept.get(key) };
  });
  const missing = asked.filter(({ window, known }) => window.recurrence !== null && !known);
  const completed = missing.length > 0 ? await complete(missing.map(({ window }) => window)) : [];
  const times = new Map(completed.map((window) => [window.id, window]));
  const found: (Expanded & { window: Window })[] = [];
  for (const { window, range, key, days, known } of asked) {
    await takeLoopTurn(window.teamId);
    if (window.recurrence === null) {
      found.push({ window, occurrences: occurrencesOf(window, range.from, range.to), skipped: [] });
      continue;
    }
    // Another call may have expanded it meanwhile.
    let expanded = known ?? kept.get(key);
    if (!expanded) {
      const all = times.get(window.id) ?? window;
      const occurrences = occurrencesOf(all, days.from, days.to);
      expanded = { occurrences, skipped: skippedOf(all).filter(during(days)) };
      keep(key, expanded);
    }
    const { occurrences, skipped } = expanded;
    found.push({ window, occurrences: occurrences.filter(during(range)), skipped: skipped.filter(during(range)) });
  }
  return found;
}
