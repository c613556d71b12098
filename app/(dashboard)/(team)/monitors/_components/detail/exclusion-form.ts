import { z } from 'zod';
import { localAt, momentsOf } from '@/app/_components/local-time';
import { Reason, whyNotExcluded } from '@/server/history/schema';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

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

/** What a form for a new stretch begins with: the latest outage, ended by now, or the hour before now. Times of the zone's clock. */
export function suggestedStretch(
  outages: readonly { from: string; to: string | null }[],
  timeZone: string,
  now = Date.now(),
): { from: string; to: string } {
  const last = outages.at(-1);
  const from = last ? Date.parse(last.from) : now - HOUR_MS;
  const to = last?.to ? Date.parse(last.to) : now;
  // Whole minutes that hold all of it, and nothing that is to come.
  const end = Math.min(Math.ceil(to / MINUTE_MS), Math.floor(now / MINUTE_MS)) * MINUTE_MS;
  const start = Math.min(Math.floor(from / MINUTE_MS) * MINUTE_MS, end - MINUTE_MS);
  return { from: localAt(start, timeZone), to: localAt(end, timeZone) };
}

/** A stretch to be taken out of a monitor's uptime, as its form has it: two times of a zone's clock, and why. */
export const exclusionForm = (timeZone: string) =>
  z
    .object({
      from: z.string().min(1, 'Enter a start time.'),
      to: z.string().min(1, 'Enter an end time.'),
      reason: Reason,
    })
    .superRefine((local, ctx) => {
      if (local.from === '' || local.to === '') return;
      const stretch = toStretch(local, timeZone);
      const message = stretch ? whyNotExcluded(stretch.from, stretch.to, new Date()) : 'Enter a date and time.';
      if (message !== null) ctx.addIssue({ code: 'custom', path: ['to'], message });
    });
