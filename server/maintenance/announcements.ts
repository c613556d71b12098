import { z } from 'zod';
import type { Period } from '@/server/time/edges';
import { HOUR_MS } from '@/server/time/schema';
import { nextOccurrence, occurrenceAround, type Times } from './recurrence';

/** The occurrence that channels were last notified of, while its end is still to be announced. */
export const Announced = z.object({
  kind: z.enum(['upcoming', 'started']),
  startsAt: z.coerce.date(),
  endsAt: z.coerce.date(),
});
export type Announced = z.infer<typeof Announced>;

export interface Announcement extends Period {
  kind: 'upcoming' | 'started' | 'ended';
}

/** What to announce now, what was announced then, and when to look again; null for never. */
export interface Decision {
  announcements: Announcement[];
  announced: Announced | null;
  nextAt: Date | null;
}

/**
 * Decides which announcements of a window are due. An occurrence that nobody looked at while it ran is not announced any more; one whose start was
 * announced is always announced to have ended, also if it was moved or shortened meanwhile.
 *
 * @param times null for a deleted window
 * @param leadHours how long before its start an occurrence is announced; null: at once, 0: only at its start
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
  let last = announced;
  const isOver = last?.kind === 'started' && last.startsAt.getTime() !== running?.startsAt.getTime();
  if (last && isOver) {
    const endsAt = last.endsAt < now ? last.endsAt : now;
    announcements.push({ kind: 'ended', startsAt: last.startsAt, endsAt });
    last = null;
  }
  if (running) {
    if (last?.kind !== 'started') announcements.push({ kind: 'started', ...running });
    last = { kind: 'started', ...running };
  }
  const leadAt = coming && (leadHours === null ? now : new Date(coming.startsAt.getTime() - leadHours * HOUR_MS));
  if (!running && coming && leadAt && leadAt <= now && leadAt < coming.startsAt) {
    const isTold = last?.startsAt.getTime() === coming.startsAt.getTime();
    if (!isTold) announcements.push({ kind: 'upcoming', ...coming });
    last = { kind: 'upcoming', ...coming };
  }
  const moments = [running?.endsAt, coming?.startsAt, leadAt].filter((at) => at instanceof Date && at > now) as Date[];
  const nextAt = moments.length > 0 ? new Date(Math.min(...moments.map((at) => at.getTime()))) : null;
  return { announcements, announced: last, nextAt };
}
