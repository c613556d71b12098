import { z } from 'zod';
import { Instant } from '@/server/text/schema';
import { DAY_MS } from '@/server/time/schema';

const LONGEST_MS = 366 * DAY_MS;
/** An end may be this much in the future, because clocks differ. */
const AHEAD_MS = 60_000;

/** Time excluded from a monitor's uptime, with author and reason. */
export const Exclusion = z.object({
  id: z.string(),
  monitorId: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  reason: z.string(),
  author: z.string(),
  createdAt: z.iso.datetime(),
});
export type Exclusion = z.infer<typeof Exclusion>;

export const Reason = z.string().trim().min(1, 'Enter a reason.').max(500, 'Use at most 500 characters.');

/** Returns the error message for an invalid range; null if it is valid. The range must be in the past; future time needs a maintenance window. */
export function whyNotExcluded(from: Date, to: Date, now: Date): string | null {
  if (to <= from) return 'The end must be after the start.';
  if (to.getTime() > now.getTime() + AHEAD_MS)
    return 'An exclusion must be in the past. Schedule a maintenance window instead.';
  return to.getTime() - from.getTime() > LONGEST_MS ? 'An exclusion can cover at most one year.' : null;
}

/** Time to exclude from a monitor's uptime; it must be in the past. */
export const CreateExclusionInput = z
  .strictObject({ id: z.string(), from: Instant, to: Instant, reason: Reason })
  .superRefine(({ from, to }, ctx) => {
    const message = whyNotExcluded(new Date(from), new Date(to), new Date());
    if (message !== null) ctx.addIssue({ code: 'custom', path: ['to'], message });
  });
export type CreateExclusionInput = z.infer<typeof CreateExclusionInput>;
