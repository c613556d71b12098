import { z } from 'zod';
import { ChannelState, channelTypes } from '@/server/channel-lists/schema';
import { ExternalId } from '@/server/external-ids/schema';
import { ExternalIdPage } from '@/server/lists/schema';
import { IncidentSeverity } from '@/server/monitor-lists/schema';
import { emptyScopeError, ScopeMonitorIds, ScopeTags } from '@/server/scopes/schema';
import { readOnly } from '@/server/text/read-only';
import { IfUpdatedAt, Instant, Line, Timezone } from '@/server/text/schema';
import { DAY_MS } from '@/server/time/schema';

const Name = Line.min(1, 'Enter a name.').max(100, 'Use at most 100 characters.');
const Id = z.string().max(64);
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 08:00.');
/** Limited to years that every zone and every RFC 5545 reader supports. */
const Day = z.iso
  .date('Enter a date such as 2026-11-16.')
  .refine((day) => day >= '1970-01-01' && day < '2200-01-01', 'Enter a date between the years 1970 and 2199.');

/** Hours of a week, in the schedule's zone. If `to` is not after `from`, it is on the next day. */
export const Restriction = z.strictObject({
  /** 1 is Monday, 7 Sunday: the day of `from`. */
  days: z.array(z.int().min(1).max(7)).min(1, 'Choose at least one day.').max(7),
  from: TimeOfDay,
  to: TimeOfDay,
});
export type Restriction = z.infer<typeof Restriction>;

export const Rotation = z.strictObject({
  unit: z.enum(['hours', 'days', 'weeks']),
  every: z.int().min(1, 'Enter at least 1.').max(365, 'Enter at most 365.'),
});

/** People who take turns. */
export const Layer = z.strictObject({
  name: Name,
  /** In the order of their turns. */
  userIds: z.array(Id).min(1, 'Choose at least one person.').max(50, 'Choose at most 50 people.'),
  rotation: Rotation,
  /** The day of the first handover, in the schedule's zone. */
  startDate: Day,
  handoverTime: TimeOfDay,
  /** When the layer is on call; empty means always. */
  restrictions: z.array(Restriction).max(10, 'Add at most 10 restrictions.').default([]),
});
export type Layer = z.infer<typeof Layer>;

const DAYS_OF = { hours: 1 / 24, days: 1, weeks: 7 } as const;

/** Returns how often per day these layers can change who is on call at most: at each handover, and where a restriction starts or ends. */
export function changesPerDay(layers: Layer[]): number {
  const each = layers.map(({ rotation: { unit, every }, restrictions }) => {
    const weekly = restrictions.reduce((sum, { days }) => sum + 2 * new Set(days).size, 0);
    return 1 / (every * DAYS_OF[unit]) + weekly / 7;
  });
  return each.reduce((sum, changes) => sum + changes, 0);
}

/** Limits the cost of timelines, calendars and lists. */
const MOST_CHANGES_PER_DAY = 48;

const Layers = z
  .array(Layer)
  .min(1, 'Add at least one layer.')
  .max(10, 'Add at most 10 layers.')
  .superRefine((layers, ctx) => {
    const changes = Math.ceil(changesPerDay(layers));
    if (changes <= MOST_CHANGES_PER_DAY) return;
    const message = `These layers change up to ${changes} times a day, and at most ${MOST_CHANGES_PER_DAY} are possible. Use longer turns or fewer restrictions.`;
    ctx.addIssue({ code: 'custom', message });
  });

const Person = z.object({ id: z.string(), name: z.string() });

/** A time range of a schedule; `user` is null if nobody is on call. */
export const Shift = z.object({
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  user: Person.nullable(),
  isOverride: z.boolean(),
});
export type Shift = z.infer<typeof Shift>;

export const Schedule = z.object({
  id: z.string(),
  teamId: z.string(),
  name: z.string(),
  timezone: z.string(),
  /** Highest priority first: the first layer with somebody applies. */
  layers: z.array(Layer),
  externalId: z.string().nullable(),
  /** Who is on call now. The shift is followed for at most two weeks before and after. */
  now: Shift,
  /** When that shift ends; null if it lasts two weeks or longer. */
  nextHandoffAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Schedule = z.infer<typeof Schedule>;

const GivenExternalId = ExternalId.nullable().optional();

export const CreateScheduleInput = z.strictObject({
  name: Name,
  timezone: Timezone.default('UTC'),
  layers: Layers,
  externalId: GivenExternalId,
});
export type CreateScheduleInput = z.infer<typeof CreateScheduleInput>;

/** Changes to a schedule, or a whole one sent back; at least one is required. */
export const UpdateScheduleInput = z
  .strictObject({
    id: Id,
    name: Name.optional(),
    timezone: Timezone.optional(),
    layers: Layers.optional(),
    externalId: GivenExternalId,
    ...readOnly(Schedule.pick({ teamId: true, now: true, nextHandoffAt: true, createdAt: true, updatedAt: true })),
    ifUpdatedAt: IfUpdatedAt,
  })
  .refine(
    ({ name, timezone, layers, externalId }) =>
      [name, timezone, layers, externalId].some((value) => value !== undefined),
    'Provide at least one of name, timezone, layers, externalId.',
  );
export type UpdateScheduleInput = z.infer<typeof UpdateScheduleInput>;

/** A person who replaces the layers of a schedule for some time. */
export const Override = z.object({
  id: z.string(),
  scheduleId: z.string(),
  user: Person,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  reason: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type Override = z.infer<typeof Override>;

const LONGEST_OVERRIDE_MS = 92 * DAY_MS;

/** Returns the error message for invalid times of an override; null if they are valid. */
export function whyNotOverride(startsAt: Date, endsAt: Date): string | null {
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  if (lengthMs <= 0) return 'The end must be after the start.';
  return lengthMs > LONGEST_OVERRIDE_MS ? 'An override can last at most 92 days.' : null;
}

const Reason = z.string().trim().max(200, 'Use at most 200 characters.').nullable();

export const CreateOverrideInput = z
  .strictObject({ id: Id, userId: Id, startsAt: Instant, endsAt: Instant, reason: Reason.optional() })
  .superRefine(({ startsAt, endsAt }, ctx) => {
    const message = whyNotOverride(new Date(startsAt), new Date(endsAt));
    if (message !== null) ctx.addIssue({ code: 'custom', path: ['endsAt'], message });
  });
export type CreateOverrideInput = z.infer<typeof CreateOverrideInput>;

/** The operation validates the times against the stored ones. */
export const UpdateOverrideInput = z
  .strictObject({
    id: Id,
    overrideId: Id,
    userId: Id.optional(),
    startsAt: Instant.optional(),
    endsAt: Instant.optional(),
    reason: Reason.optional(),
  })
  .refine(
    ({ id: _id, overrideId: _override, ...fields }) => Object.values(fields).some((value) => value !== undefined),
    'Provide at least one of userId, startsAt, endsAt, reason.',
  );
export type UpdateOverrideInput = z.infer<typeof UpdateOverrideInput>;

export const DeleteOverrideInput = z.strictObject({ id: Id, overrideId: Id });
export type DeleteOverrideInput = z.infer<typeof DeleteOverrideInput>;

const LONGEST_TIMELINE_DAYS = 92;
/** The maximum number of shifts in a timeline, of all layers and the result together. */
const MOST_SHIFTS = 3_000;

/** Returns the length of the longest timeline that can be requested of a schedule with these layers, in days. */
export const longestTimeline = (layers: Layer[]): number =>
  Math.max(1, Math.min(LONGEST_TIMELINE_DAYS, Math.floor(MOST_SHIFTS / 2 / changesPerDay(layers))));

/** Returns the requested range; by default 14 days from now. */
export function timelineRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: Date; to: Date } {
  const start = from === undefined ? now : new Date(from);
  return { from: start, to: to === undefined ? new Date(start.getTime() + 14 * DAY_MS) : new Date(to) };
}

export const TimelineInput = z
  .strictObject({ id: Id, from: Instant.optional(), to: Instant.optional() })
  .superRefine((range, ctx) => {
    const { from, to } = timelineRange(range, new Date());
    const lengthMs = to.getTime() - from.getTime();
    const message =
      lengthMs <= 0
        ? 'The end must be after the start.'
        : lengthMs > LONGEST_TIMELINE_DAYS * DAY_MS
          ? `Ask for at most ${LONGEST_TIMELINE_DAYS} days.`
          : null;
    if (message !== null) ctx.addIssue({ code: 'custom', path: ['to'], message });
  });
export type TimelineInput = z.infer<typeof TimelineInput>;

/** Who is on call in a range: each layer, and the result of layers and overrides. */
export const Timeline = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  layers: z.array(z.object({ name: z.string(), shifts: z.array(Shift) })),
  overrides: z.array(Override),
  final: z.array(Shift),
});
export type Timeline = z.infer<typeof Timeline>;

export const OnCallInput = z.strictObject({ at: Instant.optional() });
export type OnCallInput = z.infer<typeof OnCallInput>;

/** Who is on call in a schedule at a given time. */
export const OnCall = z.object({ scheduleId: z.string(), scheduleName: z.string(), shift: Shift });
export type OnCall = z.infer<typeof OnCall>;

/** Whom a step of an escalation notifies. */
export const EscalationTarget = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('user'), id: Id }),
  z.strictObject({ type: z.literal('schedule'), id: Id }),
  z.strictObject({ type: z.literal('channel'), id: Id }),
]);
export type EscalationTarget = z.infer<typeof EscalationTarget>;

export const EscalationStep = z.strictObject({
  targets: z
    .array(EscalationTarget)
    .min(1, 'Choose at least one person, schedule or channel.')
    .max(20, 'Choose at most 20 people, schedules and channels.'),
  /** The wait for an acknowledgment before the next step. */
  waitMinutes: z.int().min(1, 'Enter at least 1 min.').max(1440, 'Enter at most 1440 min.'),
});
export type EscalationStep = z.infer<typeof EscalationStep>;

const Steps = z.array(EscalationStep).min(1, 'Add at least one step.').max(10, 'Add at most 10 steps.');
const Repeat = z.int().min(0).max(9, 'Enter at most 9.');

/** A problem that keeps a policy from notifying somebody now or in the next seven days. */
export const PolicyWarning = z.object({
  /** Counted from 1; null for the whole policy. */
  step: z.int().nullable(),
  code: z.enum([
    'nobody_reached',
    'nobody_on_call',
    'schedule_gap',
    'no_contact_method',
    'contact_method_failing',
    'channel_failing',
    'target_deleted',
    'warnings_unavailable',
  ]),
  message: z.string(),
});
export type PolicyWarning = z.infer<typeof PolicyWarning>;

export const EscalationPolicy = z.object({
  id: z.string(),
  teamId: z.string(),
  name: z.string(),
  steps: z.array(EscalationStep),
  /** How many times the steps are repeated. */
  repeat: z.int(),
  /** Null without tags: all monitors of the team, and incidents without a monitor. */
  monitorIds: z.array(z.string()).nullable(),
  tags: z.array(z.string()),
  minSeverity: IncidentSeverity,
  externalId: z.string().nullable(),
  activeEscalations: z.int(),
  /** The current warnings, at most 50. */
  warnings: z.array(PolicyWarning),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type EscalationPolicy = z.infer<typeof EscalationPolicy>;

const policyFields = {
  name: Name,
  steps: Steps,
  repeat: Repeat.optional(),
  monitorIds: ScopeMonitorIds.nullable().optional(),
  tags: ScopeTags.optional(),
  minSeverity: IncidentSeverity.optional(),
  externalId: GivenExternalId,
};
const policyFieldNames = Object.keys(policyFields);

/** A new policy. Without `monitorIds` and `tags` it applies to all incidents of the team. */
export const CreatePolicyInput = z.strictObject(policyFields).superRefine(({ monitorIds, tags }, ctx) => {
  const message = emptyScopeError(monitorIds, tags);
  if (message !== null) ctx.addIssue({ code: 'custom', path: ['monitorIds'], message });
});
export type CreatePolicyInput = z.infer<typeof CreatePolicyInput>;

/**
 * A page of policies. With `targetId`, those whose steps name this person, schedule or channel; for a person also those that name a schedule which
 * contains them.
 */
export const ListPoliciesInput = ExternalIdPage.extend({ targetId: Id.optional() });
export type ListPoliciesInput = z.infer<typeof ListPoliciesInput>;

/** Changes to a policy, or a whole one sent back; at least one is required. */
export const UpdatePolicyInput = z
  .strictObject({
    id: Id,
    ...policyFields,
    name: Name.optional(),
    steps: Steps.optional(),
    ...readOnly(
      EscalationPolicy.pick({
        teamId: true,
        activeEscalations: true,
        warnings: true,
        createdAt: true,
        updatedAt: true,
      }),
    ),
    ifUpdatedAt: IfUpdatedAt,
  })
  .refine(
    (given) => policyFieldNames.some((name) => given[name as keyof typeof given] !== undefined),
    `Provide at least one of ${policyFieldNames.join(', ')}.`,
  );
export type UpdatePolicyInput = z.infer<typeof UpdatePolicyInput>;

/** The types of each member's contact methods, without addresses, for the preview of a policy. */
export const Reachable = z.object({
  user: Person,
  /** In order. */
  methods: z.array(z.object({ type: z.enum(channelTypes), delayMinutes: z.int(), state: ChannelState })),
  /** Whether the account's email address is used too, because no contact method works and there is a mail server. */
  usesAccountEmail: z.boolean(),
});
export type Reachable = z.infer<typeof Reachable>;
