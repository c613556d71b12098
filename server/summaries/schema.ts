import { z } from 'zod';

/** Which mail about a team's past: the summary of a week, or the report of a month. */
export const SummaryKind = z.enum(['weekly', 'monthly']);
export type SummaryKind = z.infer<typeof SummaryKind>;

/** Whether the caller gets a mail about the team every week or month. */
export const SummarySetting = z.object({
  isActive: z.boolean(),
  /** The address of the account. It only gets mails if it is confirmed for this team. */
  address: z.string(),
  isConfirmed: z.boolean(),
  /** The time zone for 08:00: that of the user's profile, or UTC. */
  timezone: z.string(),
});
export type SummarySetting = z.infer<typeof SummarySetting>;

export const UpdateSummaryInput = z.strictObject({ isActive: z.boolean() });
export type UpdateSummaryInput = z.infer<typeof UpdateSummaryInput>;

export const SummaryToken = z.strictObject({ token: z.string().min(1).max(1_000) });

/** What the page of an unsubscribe link shows. */
export const SummarySubscription = z.object({
  kind: SummaryKind,
  teamName: z.string(),
  address: z.string(),
  isActive: z.boolean(),
});
export type SummarySubscription = z.infer<typeof SummarySubscription>;
