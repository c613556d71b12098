import { z } from 'zod';

/** Whether the caller gets a weekly summary of the team by email. */
export const WeeklySummary = z.object({
  isActive: z.boolean(),
  /** The address of the account, which must be confirmed for this team. */
  address: z.string(),
  isConfirmed: z.boolean(),
  /** The zone for Monday, 08:00: that of the user's profile, or UTC. */
  timezone: z.string(),
});
export type WeeklySummary = z.infer<typeof WeeklySummary>;

export const UpdateWeeklySummaryInput = z.strictObject({ isActive: z.boolean() });
export type UpdateWeeklySummaryInput = z.infer<typeof UpdateWeeklySummaryInput>;

export const SummaryToken = z.strictObject({ token: z.string().min(1).max(1_000) });

/** The content of the page of an unsubscribe link. */
export const SummarySubscription = z.object({ teamName: z.string(), address: z.string(), isActive: z.boolean() });
export type SummarySubscription = z.infer<typeof SummarySubscription>;
