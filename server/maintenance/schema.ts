import { z } from 'zod';
import { ExternalId } from '@/server/external-ids/schema';
import { ExternalIdPage } from '@/server/lists/schema';
import { emptyScopeError, ScopeMonitorIds, ScopeTags } from '@/server/scopes/schema';
import { readOnly } from '@/server/text/read-only';
import { IfUpdatedAt, Instant, Line, Timezone } from '@/server/text/schema';
import { DAY_MS } from '@/server/time/schema';

export { phaseOf, recurrenceText, scopeText, spanText } from './window-words';

const YEAR_MS = 366 * DAY_MS;
/** The maximum length of an occurrence of a recurring window. */
const LONGEST_OCCURRENCE_MS = 31 * DAY_MS;

const Title = Line.min(1, 'Enter a title.').max(200);
const Description = z.string().trim().max(4000).nullable();

/** The parts of an RRULE that apply to days; the time of day comes from the start. */
const RULE_PART =
  /^(FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)|INTERVAL=[1-9]\d{0,2}|COUNT=[1-9]\d{0,3}|UNTIL=\d{8}(T\d{6}Z)?|BYDAY=([+-]?[1-5]?(MO|TU|WE|TH|FR|SA|SU))(,[+-]?[1-5]?(MO|TU|WE|TH|FR|SA|SU))*|BYMONTHDAY=-?([1-9]|[12]\d|3[01])(,-?([1-9]|[12]\d|3[01]))*|BYMONTH=([1-9]|1[0-2])(,([1-9]|1[0-2]))*|BYSETPOS=-?[1-9]\d?(,-?[1-9]\d?)*|WKST=(MO|TU|WE|TH|FR|SA|SU))$/;

function isRule(text: string): boolean {
  const parts = text.split(';');
  const names = parts.map((part) => part.split('=')[0]);
  return (
    parts.every((part) => RULE_PART.test(part)) &&
    names.includes('FREQ') &&
    new Set(names).size === names.length &&
    !(names.includes('COUNT') && names.includes('UNTIL'))
  );
}

/** An RRULE (RFC 5545) by days, without its prefix. */
export const Recurrence = z
  .string()
  .trim()
  .max(200, { abort: true })
  .refine(isRule, 'Enter a rule such as FREQ=WEEKLY;BYDAY=SU, by days, weeks, months or years.');

/** Whether monitors in the window are checked. */
export const MaintenanceChecks = z.enum(['continue', 'pause']);
export type MaintenanceChecks = z.infer<typeof MaintenanceChecks>;

/** How many hours before its start a window is shown on status pages and announced to channels; null: as soon as it is created. */
const AnnounceHours = z.int().min(0).max(8760).nullable();

export const Occurrence = z.object({ startsAt: z.iso.datetime(), endsAt: z.iso.datetime() });
export type Occurrence = z.infer<typeof Occurrence>;

/** A maintenance window; `monitorIds` null covers all monitors of the team. */
export const MaintenanceWindow = z.object({
  id: z.string(),
  teamId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  recurrence: z.string().nullable(),
  timezone: z.string(),
  monitorIds: z.array(z.string()).nullable(),
  tags: z.array(z.string()),
  checks: MaintenanceChecks,
  isAnnounced: z.boolean(),
  announceHours: z.int().nullable(),
  notifiesChannels: z.boolean(),
  externalId: z.string().nullable(),
  /** The current occurrence, or else the next one; null if there is none left. */
  next: Occurrence.nullable(),
  /** Future occurrences that are skipped. */
  skipped: z.array(Occurrence),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>;

/** `current`: running, or with a future occurrence; `past`: neither. */
export const WindowState = z.enum(['current', 'past']);
export type WindowState = z.infer<typeof WindowState>;

export const ListMaintenanceWindowsInput = ExternalIdPage.extend({ state: WindowState.optional() });
export type ListMaintenanceWindowsInput = z.infer<typeof ListMaintenanceWindowsInput>;

/** Returns the error message for an invalid length of a window; null if it is valid. */
export function whyNotBetween(startsAt: Date, endsAt: Date, recurrence: string | null): string | null {
  if (endsAt <= startsAt) return 'The end must be after the start.';
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  if (recurrence !== null && lengthMs > LONGEST_OCCURRENCE_MS) {
    return 'A maintenance window that repeats can last at most 31 days.';
  }
  return lengthMs > YEAR_MS ? 'A maintenance window can last at most one year.' : null;
}

const fields = {
  title: Title,
  description: Description.optional(),
  startsAt: Instant,
  endsAt: Instant,
  recurrence: Recurrence.nullable().optional(),
  timezone: Timezone.optional(),
  monitorIds: ScopeMonitorIds.nullable().optional(),
  tags: ScopeTags.optional(),
  checks: MaintenanceChecks.optional(),
  isAnnounced: z.boolean().optional(),
  announceHours: AnnounceHours.optional(),
  notifiesChannels: z.boolean().optional(),
  externalId: ExternalId.nullable().optional(),
};

const names = Object.keys(fields);

/** A new window; without `monitorIds` and `tags` it covers all monitors of the team. */
export const CreateMaintenanceWindowInput = z
  .strictObject(fields)
  .superRefine(({ startsAt, endsAt, recurrence = null, monitorIds, tags }, ctx) => {
    const message = whyNotBetween(new Date(startsAt), new Date(endsAt), recurrence);
    if (message !== null) ctx.addIssue({ code: 'custom', path: ['endsAt'], message });
    const nobody = emptyScopeError(monitorIds, tags);
    if (nobody !== null) ctx.addIssue({ code: 'custom', path: ['monitorIds'], message: nobody });
  });
export type CreateMaintenanceWindowInput = z.infer<typeof CreateMaintenanceWindowInput>;

/** The times of a new window, or of the edited window with this ID. */
export const PreviewOccurrencesInput = z
  .strictObject({
    id: z.string().optional(),
    startsAt: Instant,
    endsAt: Instant,
    recurrence: Recurrence.optional(),
    timezone: Timezone.optional(),
  })
  .superRefine(({ startsAt, endsAt, recurrence = null }, ctx) => {
    const message = whyNotBetween(new Date(startsAt), new Date(endsAt), recurrence);
    if (message !== null) ctx.addIssue({ code: 'custom', path: ['endsAt'], message });
  });
export type PreviewOccurrencesInput = z.infer<typeof PreviewOccurrencesInput>;

/** A window that starts now; without `monitorIds` and `tags` it covers all monitors of the team. */
export const StartMaintenanceInput = z
  .strictObject({
    title: Title.optional(),
    minutes: z.int().min(1).max(10_080).default(60),
    monitorIds: ScopeMonitorIds.nullable().optional(),
    tags: ScopeTags.optional(),
  })
  .superRefine(({ monitorIds, tags }, ctx) => {
    const nobody = emptyScopeError(monitorIds, tags);
    if (nobody !== null) ctx.addIssue({ code: 'custom', path: ['monitorIds'], message: nobody });
  });
export type StartMaintenanceInput = z.infer<typeof StartMaintenanceInput>;

/** By how many minutes the current occurrence is extended. */
export const ExtendMaintenanceInput = z.strictObject({
  id: z.string(),
  minutes: z.int().min(1).max(1_440).default(30),
});
export type ExtendMaintenanceInput = z.infer<typeof ExtendMaintenanceInput>;

/** A future occurrence of a recurring window, by its start. */
export const SkipOccurrenceInput = z.strictObject({ id: z.string(), startsAt: Instant });
export type SkipOccurrenceInput = z.infer<typeof SkipOccurrenceInput>;

/** One occurrence of a window. */
export const WindowOccurrence = Occurrence.extend({ maintenanceWindowId: z.string(), title: z.string() });
export type WindowOccurrence = z.infer<typeof WindowOccurrence>;

const LONGEST_RANGE_MS = 92 * DAY_MS;

/** Returns the requested range; by default 31 days from now. */
export function rangeOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: Date; to: Date } {
  const start = from === undefined ? now : new Date(from);
  return { from: start, to: to === undefined ? new Date(start.getTime() + 31 * DAY_MS) : new Date(to) };
}

/** A range of at most 92 days; by default the next 31. */
export const OccurrencesInput = z
  .strictObject({ from: Instant.optional(), to: Instant.optional() })
  .superRefine((range, ctx) => {
    const { from, to } = rangeOf(range, new Date());
    const lengthMs = to.getTime() - from.getTime();
    if (lengthMs <= 0) ctx.addIssue({ code: 'custom', path: ['to'], message: 'The end must be after the start.' });
    if (lengthMs > LONGEST_RANGE_MS)
      ctx.addIssue({ code: 'custom', path: ['to'], message: 'Ask for at most 92 days.' });
  });
export type OccurrencesInput = z.infer<typeof OccurrencesInput>;

/** Changes to a window, or a whole one sent back; at least one is required. */
export const UpdateMaintenanceWindowInput = z
  .strictObject({
    id: z.string(),
    ...fields,
    title: Title.optional(),
    startsAt: Instant.optional(),
    endsAt: Instant.optional(),
    ...readOnly(MaintenanceWindow.pick({ teamId: true, next: true, skipped: true, createdAt: true, updatedAt: true })),
    ifUpdatedAt: IfUpdatedAt,
  })
  .refine((given) => names.some((name) => given[name as keyof typeof given] !== undefined), {
    message: `Provide at least one of ${names.join(', ')}.`,
  });
export type UpdateMaintenanceWindowInput = z.infer<typeof UpdateMaintenanceWindowInput>;
