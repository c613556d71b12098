import { z } from 'zod';

/** Whether the caller gets a weekly summary of the team by email. */
export const WeeklySummary = z.object({
  isActive: z.boolean(),
  /** The address of the account. It only gets summaries if it is confirmed for this team. */
  address: z.string(),
  isConfirmed: z.boolean(),
  /** The time zone for Monday, 08:00: that of the user's profile, or UTC. */
  timezone: z.string(),
});
export type WeeklySummary = z.infer<typeof WeeklySummary>;

export const UpdateWeeklySummaryInput = z.strictObject({ isActive: z.boolean() });
export type UpdateWeeklySummaryInput = z.infer<typeof UpdateWeeklySummaryInput>;

export const SummaryToken = z.strictObject({ token: z.string().min(1).max(1_000) });

/** What the page of an unsubscribe link shows. */
export const SummarySubscription = z.object({ teamName: z.string(), address: z.string(), isActive: z.boolean() });
export type SummarySubscription = z.infer<typeof SummarySubscription>;
