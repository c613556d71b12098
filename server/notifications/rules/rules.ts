import { z } from 'zod';
import { Timezone } from '@/server/text/schema';
import { type ChannelType, pagingTypes } from '../providers/definitions';

/** The kinds of alerts that a channel can select. */
export const AlertKind = z.enum([
  'down',
  'degraded',
  'certificate',
  'manual',
  'acknowledged',
  'recovered',
  'maintenance',
]);
export type AlertKind = z.output<typeof AlertKind>;

/** The alert kinds that a type of channel can select: those that page people only get incidents. */
export const eventsOf = (type: ChannelType): AlertKind[] =>
  AlertKind.options.filter((kind) => kind !== 'maintenance' || !pagingTypes.includes(type));

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const Weekday = z.enum(weekdays);
export type Weekday = z.output<typeof Weekday>;

/** A time of day, "22:00". */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 22:00.');

/** Quiet hours: the weekdays on which they start, and two times of day; the end may be on the next day. */
export const QuietHours = z
  .strictObject({
    days: z.array(Weekday).min(1, 'Choose at least one day.').max(7),
    from: TimeOfDay,
    to: TimeOfDay,
    timezone: Timezone,
    /** Whether alerts of critical incidents are sent anyway. */
    sendsCritical: z.boolean().default(true),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'The end must differ from the start.' });
export type QuietHours = z.output<typeof QuietHours>;

/** The maximum number of messages of a channel per minute. */
const MaxPerMinute = z.int().min(1).max(60);

/** Minutes between reminders; 0 turns them off. */
const ReminderMinutes = z
  .int()
  .max(1_440)
  .refine((minutes) => minutes === 0 || minutes >= 5, 'Enter at least 5 min, or 0 for no reminders.');

const Severity = z.enum(['critical', 'warning', 'minor']);

const fields = {
  /** Null for all monitors of the team, unless there are tags. */
  monitorIds: z.array(z.string().max(64)).max(1_000).nullable(),
  tags: z.array(z.string().trim().toLowerCase().min(1).max(50)).max(20),
  minSeverity: Severity,
  events: z.array(AlertKind).max(20),
  quietHours: QuietHours.nullable(),
  maxPerMinute: MaxPerMinute,
  reminderMinutes: ReminderMinutes,
};

/** Which alerts a channel gets, and when. */
export const ChannelRules = z.object({
  ...fields,
  /** The number of monitors that match the routing. */
  matchingMonitors: z.int(),
});
export type ChannelRules = z.output<typeof ChannelRules>;

/** Changes to the rules of a channel; fields that are left out stay. */
export const UpdateRulesInput = z
  .strictObject({
    id: z.string(),
    monitorIds: fields.monitorIds.optional(),
    tags: fields.tags.optional(),
    minSeverity: fields.minSeverity.optional(),
    events: fields.events.optional(),
    quietHours: fields.quietHours.optional(),
    maxPerMinute: fields.maxPerMinute.optional(),
    reminderMinutes: fields.reminderMinutes.optional(),
  })
  .refine(({ id: _id, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
    error: `Provide at least one of ${Object.keys(fields).join(', ')}.`,
  })
  .refine(({ monitorIds, tags }) => monitorIds?.length !== 0 || tags?.length !== 0, {
    path: ['monitorIds'],
    error: 'Provide at least one monitor or tag, or null for all.',
  });
export type UpdateRulesInput = z.output<typeof UpdateRulesInput>;

/** Groups alerts to one channel within this many seconds into one message; 0 turns grouping off. */
export const AlertGrouping = z.strictObject({ seconds: z.int().min(0).max(300) });
export type AlertGrouping = z.output<typeof AlertGrouping>;
