import { assertRecurs } from './assert-recurs';
import { nextOccurrence } from './recurrence';
import type { Occurrence, PreviewOccurrencesInput } from './schema';

const PREVIEWED = 5;

/** The first occurrences that end after `now` of a window with these times. @throws AppError VALIDATION_ERROR (a rule without dates) */
export function previewOccurrences(input: PreviewOccurrencesInput, now: Date): Occurrence[] {
  const { recurrence = null, timezone = 'UTC' } = input;
  const times = { startsAt: new Date(input.startsAt), endsAt: new Date(input.endsAt), recurrence, timezone };
  assertRecurs(times);
  const found: Occurrence[] = [];
  let at = now;
  while (found.length < PREVIEWED) {
    const next = nextOccurrence(times, at);
    if (!next) break;
    found.push({ startsAt: next.startsAt.toISOString(), endsAt: next.endsAt.toISOString() });
    if (recurrence === null) break;
    at = next.endsAt;
  }
  return found;
}
