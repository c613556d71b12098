import { z } from 'zod';
import { momentsOf } from '@/app/_components/local-time';
import { Reason, whyNotExcluded } from '@/server/history/schema';

/**
 * The stretch between two times of a zone's clock, as `datetime-local` writes them; null where one is no time. Of an hour
 * that comes twice the first counts, except for an end that would come before the start.
 */
export function toStretch(local: { from: string; to: string }, timeZone: string): { from: Date; to: Date } | null {
  const [from] = momentsOf(local.from, timeZone);
  const ends = momentsOf(local.to, timeZone);
  const to = ends.find((end) => from && end > from) ?? ends[0];
  return from && to ? { from, to } : null;
}

/** A stretch to be taken out of a monitor's uptime, as its form has it: two times of a zone's clock, and why. */
export const exclusionForm = (timeZone: string) =>
  z
    .object({ from: z.string().min(1, 'Enter a start.'), to: z.string().min(1, 'Enter an end.'), reason: Reason })
    .superRefine((local, ctx) => {
      if (local.from === '' || local.to === '') return;
      const stretch = toStretch(local, timeZone);
      const message = stretch ? whyNotExcluded(stretch.from, stretch.to, new Date()) : 'Enter a date and a time.';
      if (message !== null) ctx.addIssue({ code: 'custom', path: ['to'], message });
    });
