import { z } from 'zod';
import type { Period } from '@/server/time/edges';
import { HOUR_MS } from '@/server/time/schema';
import { nextOccurrence, occurrenceAround, occurrenceFrom, type Times } from './recurrence/recurrence';

/** The occurrence that channels were last notified of, and the starts of coming occurrences that were announced as cancelled. */
export const Announced = z.object({
  kind: z.enum(['upcoming', 'started', 'cancelled']),
  startsAt: z.coerce.date(),
  endsAt: z.coerce.date(),
  cancelled: z.array(z.coerce.date()).default([]),
});
export type Announced = z.infer<typeof Announced>;

export interface Announcement extends Period {
  kind: 'upcoming' | 'started' | 'ended' | 'cancelled';
  /** Set if the occurrence was announced and cancelled before, and is scheduled again. */
  isAgain?: boolean;
}

const isAt = (at: Date) => (each: Date) => each.getTime() === at.getTime();

/** Returns whether an occurrence of the window that is not skipped starts at this time; false for a deleted window. */
function startsThen(times: Times | null, at: Date): boolean {
  if (!times) return false;
  if (times.recurrence === null) return isAt(at)(times.startsAt);
  return !times.skippedStarts?.some(isAt(at)) && occurrenceFrom(times, at) !== null;
}

/** The announcements that are due, what to store as announced after them, and when to decide again (`nextAt`; null for never). */
export interface Decision {
  announcements: Announcement[];
  announced: Announced | null;
  nextAt: Date | null;
}

/**
 * Decides which announcements of a window are due. An occurrence that was missed completely is not announced. If a start was announced, the end is
 * always announced too, even if the occurrence was moved or shortened. An announced occurrence that does not take place is announced as cancelled,
 * unless its window has started instead.
 * @param times null for a deleted window
 * @param leadHours how many hours before its start an occurrence is announced; null announces it at once, 0 only at its start
 */
export function decideAnnouncements(
  times: Times | null,
  leadHours: number | null,
  announced: Announced | null,
  now: Date,
): Decision {
  const running = times && occurrenceAround(times, now);
  const coming = times && nextOccurrence(times, running?.endsAt ?? now);
  const announcements: Announcement[] = [];
  let last: Omit<Announced, 'cancelled'> | null = announced;
  let cancelled = (announced?.cancelled ?? []).filter((start) => start > now);
  const isOver = last?.kind === 'started' && last.startsAt.getTime() !== running?.startsAt.getTime();
  if (last && isOver) {
    const endsAt = last.endsAt < now ? last.endsAt : now;
    announcements.push({ kind: 'ended', startsAt: last.startsAt, endsAt });
    last = null;
  }
  const startedInstead = running && times?.recurrence === null;
  if (last?.kind === 'upcoming' && last.startsAt > now && !startedInstead && !startsThen(times, last.startsAt)) {
    announcements.push({ ...last, kind: 'cancelled' });
    cancelled.push(last.startsAt);
    last = { ...last, kind: 'cancelled' };
  }
  if (running) {
    if (last?.kind !== 'started') announcements.push({ kind: 'started', ...running });
    last = { kind: 'started', ...running };
  }
  const leadAt = coming && (leadHours === null ? now : new Date(coming.startsAt.getTime() - leadHours * HOUR_MS));
  if (!running && coming && leadAt && leadAt <= now && leadAt < coming.startsAt) {
    const isAnnounced = last?.kind !== 'cancelled' && last?.startsAt.getTime() === coming.startsAt.getTime();
    const isAgain = cancelled.some(isAt(coming.startsAt));
    if (!isAnnounced) announcements.push({ kind: 'upcoming', ...coming, ...(isAgain && { isAgain }) });
    cancelled = cancelled.filter((start) => !isAt(coming.startsAt)(start));
    last = { kind: 'upcoming', ...coming };
  }
  const moments = [running?.endsAt, coming?.startsAt, leadAt].filter((at) => at instanceof Date && at > now) as Date[];
  const nextAt = moments.length > 0 ? new Date(Math.min(...moments.map((at) => at.getTime()))) : null;
  return { announcements, announced: last && { ...last, cancelled }, nextAt };
}
