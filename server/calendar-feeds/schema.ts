import { z } from 'zod';

/** The content of a calendar: shifts, or the maintenance windows of the team. */
export const FeedKind = z.enum(['on_call', 'maintenance']);
export type FeedKind = z.infer<typeof FeedKind>;

/** The secret URL of a member's calendar. Without a schedule, it contains the owner's shifts in all schedules. */
export const CalendarFeed = z.object({
  id: z.string(),
  kind: FeedKind,
  scheduleId: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;

export const CreateFeedInput = z
  .strictObject({ kind: FeedKind.default('on_call'), scheduleId: z.string().max(64).nullable().optional() })
  .refine(({ kind, scheduleId }) => kind === 'on_call' || !scheduleId, {
    path: ['scheduleId'],
    message: 'A calendar of maintenance has no schedule.',
  });
export type CreateFeedInput = z.infer<typeof CreateFeedInput>;
