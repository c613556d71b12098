import { invalidField } from '@/server/platform/errors';
import type { Period } from '@/server/time/edges';
import type { Call } from '@/server/trpc/contexts';
import { PAST_MS } from '../maintenance-calendar';
import { occurrenceFrom, startsAmong, type Times } from '../recurrence/recurrence';
import type { MaintenanceWindow, SkipOccurrenceInput } from '../schema';
import { changeOccurrence } from './change-occurrence';

/** The maximum number of skipped occurrences of a window. Above it, those that are too old for calendars are dropped. */
const MOST_SKIPPED = 400;

/**
 * Returns the occurrence of a recurring window that starts at this time.
 * @throws AppError VALIDATION_ERROR if none does, or the window does not repeat
 */
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
 * Returns the skipped starts of a window with one more, or null if it is already skipped.
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
  // Keeps skipped starts of the recent past, because their occurrences may still be running and calendars show them.
  const since = now.getTime() - PAST_MS - (times.endsAt.getTime() - times.startsAt.getTime());
  return all.filter((each, index) => index >= spare || each.getTime() > since);
}

/**
 * Returns the skipped starts of a window without one, or null if it is not skipped.
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

/** Returns the skipped starts that remain after a change of a window's times: those at which an occurrence still starts. */
export function keptSkips({ skippedStarts = [], ...before }: Times, after: Times): Date[] {
  const isSame = before.recurrence === after.recurrence && before.timezone === after.timezone;
  if (isSame && isAt(before.startsAt)(after.startsAt)) return skippedStarts;
  return startsAmong(after, skippedStarts);
}

/**
 * Skips a future occurrence of a recurring window. Idempotent.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (nothing starts then, it has started, or too many are skipped)
 */
export function skipOccurrence({
  ctx,
  input: { id, startsAt },
}: Call<SkipOccurrenceInput>): Promise<MaintenanceWindow> {
  return changeOccurrence({ ctx, id, action: 'maintenance_window.skip' }, (row, now) => {
    const skippedStarts = withSkip(row, new Date(startsAt), now);
    return skippedStarts && { skippedStarts };
  });
}

/**
 * Restores a skipped occurrence. Idempotent.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (nothing starts then, or that time has passed)
 */
export function unskipOccurrence({
  ctx,
  input: { id, startsAt },
}: Call<SkipOccurrenceInput>): Promise<MaintenanceWindow> {
  return changeOccurrence({ ctx, id, action: 'maintenance_window.unskip' }, (row, now) => {
    const skippedStarts = withoutSkip(row, new Date(startsAt), now);
    return skippedStarts && { skippedStarts };
  });
}
