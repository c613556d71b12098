import { invalidField } from '@/server/platform/errors';
import type { Period } from '@/server/time/edges';
import type { TeamContext } from '@/server/trpc/contexts';
import { changeOccurrence } from './change-occurrence';
import { PAST_MS } from './maintenance-calendar';
import { occurrenceFrom, startsAmong, type Times } from './recurrence';
import type { MaintenanceWindow, SkipOccurrenceInput } from './schema';

/** Coming ones of one window. Those that calendars no longer show make way for them. */
const MOST_SKIPPED = 400;

interface OnOneOccurrence {
  ctx: TeamContext;
  input: SkipOccurrenceInput;
}

/** @throws AppError VALIDATION_ERROR where nothing starts then */
function occurrenceOf(times: Times, startsAt: Date): Period {
  if (times.recurrence === null) {
    throw invalidField('id', 'This maintenance window does not repeat. Move or delete it instead.');
  }
  const occurrence = occurrenceFrom(times, startsAt);
  if (!occurrence) throw invalidField('startsAt', 'No occurrence of this maintenance window starts at this time.');
  return occurrence;
}

const isAt = (at: Date) => (each: Date) => each.getTime() === at.getTime();

/**
 * The skipped starts of a window with one more, null if it is one of them.
 * @throws AppError VALIDATION_ERROR (nothing starts then, it has started, or too many are skipped)
 */
export function withSkip(times: Times, startsAt: Date, now: Date): Date[] | null {
  const { endsAt } = occurrenceOf(times, startsAt);
  const { skippedStarts = [] } = times;
  if (skippedStarts.some(isAt(startsAt))) return null;
  if (endsAt <= now) throw invalidField('startsAt', 'This occurrence is over.');
  if (startsAt <= now) throw invalidField('startsAt', 'This occurrence has started: it can only be ended.');
  if (skippedStarts.filter((each) => each > now).length >= MOST_SKIPPED) {
    throw invalidField('startsAt', `You can skip at most ${MOST_SKIPPED} coming occurrences. Change the rule instead.`);
  }
  const all = [...skippedStarts, startsAt].sort((a, b) => a.getTime() - b.getTime());
  const spare = all.length - MOST_SKIPPED;
  // What has started may still be running, and calendars show the recent past.
  const since = now.getTime() - PAST_MS - (times.endsAt.getTime() - times.startsAt.getTime());
  return all.filter((each, index) => index >= spare || each.getTime() > since);
}

/**
 * The skipped starts of a window without one, null if it is none of them.
 * @throws AppError VALIDATION_ERROR (nothing starts then, or that time has passed)
 */
export function withoutSkip(times: Times, startsAt: Date, now: Date): Date[] | null {
  occurrenceOf(times, startsAt);
  const { skippedStarts = [] } = times;
  if (!skippedStarts.some(isAt(startsAt))) return null;
  if (startsAt <= now) {
    throw invalidField('startsAt', 'The start of this occurrence has passed. Start maintenance now instead.');
  }
  return skippedStarts.filter((each) => !isAt(startsAt)(each));
}

/** The skipped starts of a window that are starts by other times too: what no longer takes place need not be skipped. */
export function keptSkips({ skippedStarts = [], ...before }: Times, after: Times): Date[] {
  const isSame = before.recurrence === after.recurrence && before.timezone === after.timezone;
  if (isSame && isAt(before.startsAt)(after.startsAt)) return skippedStarts;
  return startsAmong(after, skippedStarts);
}

/**
 * Skips a coming occurrence of a window that repeats; one that is skipped stays so.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (nothing starts then, it has started, or too many are skipped)
 */
export function skipOccurrence({ ctx, input: { id, startsAt } }: OnOneOccurrence): Promise<MaintenanceWindow> {
  return changeOccurrence({ ctx, id, action: 'maintenance_window.skip' }, (row, now) => {
    const skippedStarts = withSkip(row, new Date(startsAt), now);
    return skippedStarts && { skippedStarts };
  });
}

/**
 * Lets a skipped occurrence take place after all; one that is not skipped stays so.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (nothing starts then, or that time has passed)
 */
export function unskipOccurrence({ ctx, input: { id, startsAt } }: OnOneOccurrence): Promise<MaintenanceWindow> {
  return changeOccurrence({ ctx, id, action: 'maintenance_window.unskip' }, (row, now) => {
    const skippedStarts = withoutSkip(row, new Date(startsAt), now);
    return skippedStarts && { skippedStarts };
  });
}
