import { type InputIssue, inputForm } from '@/app/_components/forms/input-form';
import { isNobody, NOBODY, type ScopeFields, toScope, toScopeFields } from '@/app/_components/monitors/scope-model';
import { localAt, momentsOf } from '@/app/_components/time/local-time';
import {
  CreateMaintenanceWindowInput,
  type MaintenanceWindow,
  PreviewOccurrencesInput,
} from '@/server/maintenance/schema';
import { HOUR_MS, MINUTE_MS } from '@/server/time/schema';

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** The fields of the form. Times are wall-clock times of the zone in the format of `datetime-local`. */
export interface WindowFields extends ScopeFields {
  title: string;
  description: string;
  startsAt: string;
  endsAt: string;
  timezone: string;
  repeats: 'never' | 'daily' | 'weekly' | 'monthly' | 'custom';
  days: (typeof weekdays)[number][];
  rule: string;
  checks: MaintenanceWindow['checks'];
  isAnnounced: boolean;
  /** In hours; "now" for immediately. */
  announceHours: string;
  notifiesChannels: boolean;
}

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

type TimeFields = Pick<WindowFields, 'startsAt' | 'endsAt' | 'timezone' | 'repeats' | 'days' | 'rule'>;

/**
 * The times as input of the API; empty if they are not entered. If the hour of the end occurs twice in autumn, the end is the first one after the
 * start.
 */
function toTimes({ startsAt, endsAt, timezone, ...repetition }: TimeFields) {
  const [start] = momentsOf(startsAt, timezone);
  const ends = momentsOf(endsAt, timezone);
  const end = ends.find((each) => start && each > start) ?? ends[0];
  const recurrence = recurrenceOf(repetition);
  return { startsAt: start?.toISOString() ?? '', endsAt: end?.toISOString() ?? '', timezone, recurrence };
}

function toInput(fields: WindowFields) {
  const { title, description, checks, isAnnounced, announceHours, notifiesChannels } = fields;
  return {
    title,
    description: description.trim() || null,
    ...toTimes(fields),
    ...toScope(fields),
    checks,
    isAnnounced,
    announceHours: announceHours === 'now' ? null : Number(announceHours),
    notifiesChannels,
  };
}

/** Messages in the terms of the form, where they differ from those of the schema. */
function words({ message }: InputIssue, path: string, { startsAt, endsAt, ...scope }: WindowFields): string {
  if (path === 'startsAt' && startsAt === '') return 'Enter a start time.';
  if (path === 'endsAt' && endsAt === '') return 'Enter an end time.';
  if (path === 'recurrence') return 'Enter a rule such as FREQ=MONTHLY;BYDAY=-1FR.';
  return path === 'monitorIds' && isNobody(scope) ? NOBODY : message;
}

/** The field of the form that shows the errors of a field of the API. */
export function windowFieldOf(path: string): keyof WindowFields | null {
  const [field] = path.split('.');
  if (field === 'recurrence') return 'rule';
  return field && Object.hasOwn(CreateMaintenanceWindowInput.shape, field) ? (field as keyof WindowFields) : null;
}

/** The form of a window. */
export const windowForm = inputForm({ schema: CreateMaintenanceWindowInput, toInput, fieldOf: windowFieldOf, words });

/** The times for a preview; null if they are incomplete or invalid. */
export function previewTimes(fields: TimeFields): PreviewOccurrencesInput | null {
  const { recurrence, ...times } = toTimes(fields);
  return PreviewOccurrencesInput.safeParse({ ...times, ...(recurrence !== null && { recurrence }) }).data ?? null;
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

/** The form's initial values: those of a window, or one hour from the next full hour on. */
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

/** Keeps the seconds and milliseconds of unchanged times, because the fields have none. */
export function withSeconds<Times extends { startsAt: string; endsAt: string }>(
  input: Times,
  window: Pick<MaintenanceWindow, 'startsAt' | 'endsAt'>,
): Times {
  const kept = (name: 'startsAt' | 'endsAt') =>
    minuteOf(input[name]) === minuteOf(window[name]) ? window[name] : input[name];
  return { ...input, startsAt: kept('startsAt'), endsAt: kept('endsAt') };
}
