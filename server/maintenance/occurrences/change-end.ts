import { invalidField } from '@/server/platform/errors';
import type { Period } from '@/server/time/edges';
import { MINUTE_MS } from '@/server/time/schema';
import type { Call, OnOneObject, TeamContext } from '@/server/trpc/contexts';
import { occurrenceAround, type Times } from '../recurrence/recurrence';
import { type ExtendMaintenanceInput, type MaintenanceWindow, whyNotBetween } from '../schema';
import { changeOccurrence } from './change-occurrence';

/** The maximum number of changed ends of a window. The latest are kept, because older occurrences are over. */
const MOST_CHANGES = 100;

/** Returns the columns that change the end of an occurrence: the end of a window without recurrence, or else an exception from the rule. */
function withEnd(times: Times, { startsAt }: Period, endsAt: Date) {
  if (times.recurrence === null) return { endsAt };
  const others = (times.changedStarts ?? [])
    .map((start, index) => ({ start, end: times.changedEnds?.[index] ?? start }))
    .filter(({ start }) => start.getTime() !== startsAt.getTime());
  const changes = [...others, { start: startsAt, end: endsAt }].slice(-MOST_CHANGES);
  return { changedStarts: changes.map(({ start }) => start), changedEnds: changes.map(({ end }) => end) };
}

/** Sets the end of the current occurrence of a window to what `endOf` returns. */
function changeEnd(
  { ctx, id }: { ctx: TeamContext; id: string },
  endOf: (present: Period, now: Date) => Date,
): Promise<MaintenanceWindow> {
  return changeOccurrence({ ctx, id, action: 'maintenance_window.update' }, (row, now) => {
    const present = occurrenceAround(row, now);
    if (!present) throw invalidField('id', 'This maintenance window is not running.');
    return withEnd(row, present, endOf(present, now));
  });
}

/**
 * Ends the current occurrence of a window now.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (it is not running)
 */
export function endMaintenance({ ctx, input: { id } }: OnOneObject): Promise<MaintenanceWindow> {
  return changeEnd({ ctx, id }, (_present, now) => now);
}

/**
 * Extends the current occurrence of a window by `minutes`.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (it is not running, or would last too long)
 */
export function extendMaintenance({
  ctx,
  input: { id, minutes },
}: Call<ExtendMaintenanceInput>): Promise<MaintenanceWindow> {
  return changeEnd({ ctx, id }, ({ startsAt, endsAt }) => {
    const later = new Date(endsAt.getTime() + minutes * MINUTE_MS);
    const wrong = whyNotBetween(startsAt, later, 'any');
    if (wrong !== null) throw invalidField('minutes', wrong);
    return later;
  });
}
