import { z } from 'zod';
import { localAt, toStretch } from '@/app/_components/time/local-time';
import { Reason, whyNotExcluded } from '@/server/history/schema';
import { HOUR_MS, MINUTE_MS } from '@/server/time/schema';

/** The default range of a new exclusion in wall-clock time: the latest outage up to now, or the last hour. */
export function suggestedStretch(
  outages: readonly { from: string; to: string | null }[],
  timeZone: string,
  now = Date.now(),
): { from: string; to: string } {
  const last = outages.at(-1);
  const from = last ? Date.parse(last.from) : now - HOUR_MS;
  const to = last?.to ? Date.parse(last.to) : now;
  // Rounds the range outwards to whole minutes, but not into the future.
  const end = Math.min(Math.ceil(to / MINUTE_MS), Math.floor(now / MINUTE_MS)) * MINUTE_MS;
  const start = Math.min(Math.floor(from / MINUTE_MS) * MINUTE_MS, end - MINUTE_MS);
  return { from: localAt(start, timeZone), to: localAt(end, timeZone) };
}

/** The form of an exclusion: two wall-clock times of a zone, and a reason. */
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
