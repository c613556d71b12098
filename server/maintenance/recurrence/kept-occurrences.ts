import { takeLoopTurn } from '@/server/platform/loop-share';
import type { Period } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';
import { occurrencesOf, type Times } from './recurrence';

/** The maximum number of occurrences that are kept: those of a thousand windows in a calendar, twice. */
const MOST_KEPT = 200_000;

/** The occurrences of windows by version and range, the oldest entries first. */
const kept = new Map<string, Period[]>();
let count = 0;

function keep(key: string, occurrences: Period[]): void {
  kept.set(key, occurrences);
  count += occurrences.length + 1;
  for (const [oldest, { length }] of kept) {
    if (count <= MOST_KEPT) break;
    kept.delete(oldest);
    count -= length + 1;
  }
}

/**
 * The occurrences of a window that overlap a range, as `occurrencesOf` finds them. A rule takes milliseconds to expand, a team may have a thousand, and
 * calendars are polled: rules are expanded for whole days, once for each version of a window, and in turns with other teams.
 */
export async function keptOccurrences(
  window: Times & { id: string; teamId: string; updatedAt: Date },
  from: Date,
  to: Date,
): Promise<Period[]> {
  if (window.recurrence === null) return occurrencesOf(window, from, to);
  const [first, last] = [Math.floor(from.getTime() / DAY_MS), Math.ceil(to.getTime() / DAY_MS)];
  const key = `${window.id} ${window.updatedAt.getTime()} ${first} ${last}`;
  if (!kept.has(key)) await takeLoopTurn(window.teamId);
  // Another call may have expanded it meanwhile.
  const known = kept.get(key);
  const all = known ?? occurrencesOf(window, new Date(first * DAY_MS), new Date(last * DAY_MS));
  if (!known) keep(key, all);
  return all.filter(({ startsAt, endsAt }) => startsAt < to && endsAt > from);
}
