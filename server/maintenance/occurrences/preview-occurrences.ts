import type { Db } from '@/server/platform/db';
import { toOccurrence, windowNotFound } from '../queries';
import { assertRecurs } from '../recurrence/assert-recurs';
import { nextOccurrence } from '../recurrence/recurrence';
import type { Occurrence, PreviewOccurrencesInput } from '../schema';

const PREVIEWED = 5;

async function readChanges(db: Db, teamId: string, id: string) {
  const select = { changedStarts: true, changedEnds: true, skippedStarts: true };
  const row = await db.maintenanceWindow.findFirst({ where: { id, teamId }, select });
  if (!row) throw windowNotFound();
  return row;
}

/**
 * Returns the first five occurrences of a window with these times that end after `now`. With an ID, applies the skipped occurrences and changed ends
 * of that window.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (a rule without dates)
 */
export async function previewOccurrences(
  db: Db,
  teamId: string,
  { id, ...input }: PreviewOccurrencesInput,
  now: Date,
): Promise<Occurrence[]> {
  const { recurrence = null, timezone = 'UTC' } = input;
  const changes = id === undefined ? null : await readChanges(db, teamId, id);
  const times = {
    startsAt: new Date(input.startsAt),
    endsAt: new Date(input.endsAt),
    recurrence,
    timezone,
    ...changes,
  };
  assertRecurs(times);
  const found: Occurrence[] = [];
  let at = now;
  while (found.length < PREVIEWED) {
    const next = nextOccurrence(times, at);
    if (!next) break;
    found.push(toOccurrence(next));
    if (recurrence === null) break;
    at = next.endsAt;
  }
  return found;
}
