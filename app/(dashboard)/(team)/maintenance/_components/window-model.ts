import { z } from 'zod';
import { checkScope, scopeShape, toScope, toScopeFields } from '@/app/_components/monitors/scope-model';
import { localAt, momentsOf } from '@/app/_components/time/local-time';
import {
  type CreateMaintenanceWindowInput,
  type MaintenanceWindow,
  Recurrence,
  whyNotBetween,
} from '@/server/maintenance/schema';
import { Timezone } from '@/server/text/schema';
import { HOUR_MS, MINUTE_MS } from '@/server/time/schema';

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

const Repeats = z.enum(['never', 'daily', 'weekly', 'monthly', 'custom']);

/** The fields of the form: wall-clock times of a zone in the format of `datetime-local`. */
const fields = z.object({
  title: z.string().trim().min(1, 'Enter a title.').max(200),
  description: z.string().trim().max(4000),
  startsAt: z.string().min(1, 'Enter a start time.'),
  endsAt: z.string().min(1, 'Enter an end time.'),
  timezone: Timezone,
  repeats: Repeats,
  days: z.array(z.enum(weekdays)),
  rule: z.string().trim(),
  ...scopeShape,
  checks: z.enum(['continue', 'pause']),
  isAnnounced: z.boolean(),
  /** In hours; "now" for immediately. */
  announceHours: z.string(),
  notifiesChannels: z.boolean(),
});
export type WindowFields = z.infer<typeof fields>;

function recurrenceOf({ repeats, days, rule }: Pick<WindowFields, 'repeats' | 'days' | 'rule'>): string | null {
  switch (repeats) {
    case 'never':
      return null;
    case 'daily':
      return 'FREQ=DAILY';
    case 'weekly':
      return days.length > 0 ? `FREQ=WEEKLY;BYDAY=${days.join(',')}` : 'FREQ=WEEKLY';
    case 'monthly':
      return 'FREQ=MONTHLY';
    case 'custom':
      return rule;
    default:
      return repeats satisfies never;
  }
}

/** Two wall-clock times; an end in the repeated hour of autumn is the one after the start. */
function timesOf({ startsAt, endsAt, timezone }: Pick<WindowFields, 'startsAt' | 'endsAt' | 'timezone'>) {
  const [start] = momentsOf(startsAt, timezone);
  const ends = momentsOf(endsAt, timezone);
  const end = ends.find((each) => start && each > start) ?? ends[0];
  return start && end ? { start, end } : null;
}

/** The form of a window. Its output is the input of the API. */
export const windowForm = fields
  .superRefine((values, ctx) => {
    const recurrence = recurrenceOf(values);
    const times = timesOf(values);
    const add = (path: keyof WindowFields, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    const wrong = times ? whyNotBetween(times.start, times.end, recurrence) : null;
    if (wrong !== null) add('endsAt', wrong);
    if (values.repeats === 'custom' && !Recurrence.safeParse(values.rule).success) {
      add('rule', 'Enter a rule such as FREQ=MONTHLY;BYDAY=-1FR.');
    }
    checkScope(values, ctx);
  })
  .transform((values): CreateMaintenanceWindowInput => {
    const {
      title,
      description,
      timezone,
      isAll,
      monitorIds,
      tags,
      checks,
      isAnnounced,
      announceHours,
      notifiesChannels,
    } = values;
    const times = timesOf(values);
    return {
      title,
      description: description || null,
      startsAt: times?.start.toISOString() ?? values.startsAt,
      endsAt: times?.end.toISOString() ?? values.endsAt,
      recurrence: recurrenceOf(values),
      timezone,
      ...toScope({ isAll, monitorIds, tags }),
      checks,
      isAnnounced,
      announceHours: announceHours === 'now' ? null : Number(announceHours),
      notifiesChannels,
    };
  });

/** The times of the window for a preview; null while they are incomplete or wrong. */
export function previewTimes(
  values: Pick<WindowFields, 'startsAt' | 'endsAt' | 'timezone' | 'repeats' | 'days' | 'rule'>,
) {
  const recurrence = recurrenceOf(values);
  const times = timesOf(values);
  if (!times || whyNotBetween(times.start, times.end, recurrence) !== null) return null;
  if (recurrence !== null && !Recurrence.safeParse(recurrence).success) return null;
  return {
    startsAt: times.start.toISOString(),
    endsAt: times.end.toISOString(),
    timezone: values.timezone,
    ...(recurrence !== null && { recurrence }),
  };
}

function repeatsOf(recurrence: string | null): Pick<WindowFields, 'repeats' | 'days' | 'rule'> {
  const nothing = { days: [], rule: '' };
  if (recurrence === null) return { repeats: 'never', ...nothing };
  if (recurrence === 'FREQ=DAILY') return { repeats: 'daily', ...nothing };
  if (recurrence === 'FREQ=MONTHLY') return { repeats: 'monthly', ...nothing };
  const [, list] = /^FREQ=WEEKLY(?:;BYDAY=([A-Z,]+))?$/.exec(recurrence) ?? [null];
  if (list === null) return { repeats: 'custom', days: [], rule: recurrence };
  return { repeats: 'weekly', days: weekdays.filter((day) => list?.split(',').includes(day)), rule: '' };
}

/** The form's initial values: those of a window, or an hour from the next full hour on. */
export function toWindowFields(window: MaintenanceWindow | undefined, timeZone: string, now: number): WindowFields {
  const timezone = window?.timezone ?? timeZone;
  const start = window ? Date.parse(window.startsAt) : (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  const end = window ? Date.parse(window.endsAt) : start + HOUR_MS;
  return {
    title: window?.title ?? '',
    description: window?.description ?? '',
    startsAt: localAt(start, timezone),
    endsAt: localAt(end, timezone),
    timezone,
    ...repeatsOf(window?.recurrence ?? null),
    ...toScopeFields(window, false),
    checks: window?.checks ?? 'continue',
    isAnnounced: window?.isAnnounced ?? true,
    announceHours: window?.announceHours === undefined ? '72' : (window.announceHours?.toString() ?? 'now'),
    notifiesChannels: window?.notifiesChannels ?? false,
  };
}

const minuteOf = (at: string) => Math.floor(Date.parse(at) / MINUTE_MS);

/** The fields have no seconds: a time that was not changed stays as it is, to the millisecond. */
export function withSeconds<Times extends { startsAt: string; endsAt: string }>(
  input: Times,
  window: Pick<MaintenanceWindow, 'startsAt' | 'endsAt'>,
): Times {
  const kept = (name: 'startsAt' | 'endsAt') =>
    minuteOf(input[name]) === minuteOf(window[name]) ? window[name] : input[name];
  return { ...input, startsAt: kept('startsAt'), endsAt: kept('endsAt') };
}

/** Fields of the API by the field of the form that shows their errors. */
export function windowFieldOf(path: string): keyof WindowFields | undefined {
  const [field] = path.split('.');
  if (field === 'recurrence') return 'rule';
  return field && field in fields.shape ? (field as keyof WindowFields) : undefined;
}
