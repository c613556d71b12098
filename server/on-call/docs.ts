import { at, monitorId, page, teamId, user } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const robin = { id: user.id, name: user.name };
const shift = { startsAt: at, endsAt: '2026-11-23T07:00:00.000Z', user: robin, isOverride: false };
const layer = {
  name: 'Primary',
  userIds: [robin.id],
  rotation: { unit: 'weeks', every: 1 },
  startDate: '2026-11-16',
  handoverTime: '08:00',
  restrictions: [],
};
const schedule = {
  id: '01KANZ9Q4R6S8T0V2W4X6Y8Z0A',
  teamId,
  name: 'Payments',
  timezone: 'Europe/Berlin',
  layers: [layer],
  externalId: null,
  now: shift,
  nextHandoffAt: shift.endsAt,
  createdAt: at,
  updatedAt: at,
};
const override = {
  id: '01KANZAR5S7T9V1W3X5Y7Z9A1B',
  scheduleId: schedule.id,
  user: robin,
  startsAt: '2026-11-20T08:00:00.000Z',
  endsAt: '2026-11-22T08:00:00.000Z',
  reason: 'Vacation of Kim',
  createdAt: at,
};
const steps = [
  { targets: [{ type: 'schedule', id: schedule.id }], waitMinutes: 5 },
  { targets: [{ type: 'user', id: robin.id }], waitMinutes: 10 },
];
const escalationPolicy = {
  id: '01KANZCT7V9W1X3Y5Z7A9B1C3D',
  teamId,
  name: 'Payments',
  steps,
  repeat: 2,
  monitorIds: [monitorId],
  tags: [],
  minSeverity: 'warning',
  externalId: null,
  activeEscalations: 0,
  warnings: [
    {
      step: 2,
      code: 'no_contact_method',
      message: 'Robin has no contact method. Upwatch uses the email address of the account.',
    },
  ],
  createdAt: at,
  updatedAt: at,
};
const { name, repeat, monitorIds, minSeverity } = escalationPolicy;

export const onCallDocs: Record<string, OperationDoc> = {
  'onCall.now': {
    id: 'listOnCall',
    description:
      'Returns who is on call in each schedule at the time `at` (now), with their shift as far as the 14 days before and after show. `user` is null where nobody is.',
    answer: { onCall: [{ scheduleId: schedule.id, scheduleName: schedule.name, shift }] },
  },
  'onCall.reachable': {
    id: 'listReachablePeople',
    description:
      'Returns the types of the contact methods of each member, in the order in which they are used, and whether messages arrive there. A member who has none, or only failing ones, is notified by the email address of their account, if the instance has a mail server.',
    answer: {
      people: [
        { user: robin, methods: [{ type: 'email', delayMinutes: 0, state: 'delivering' }], usesAccountEmail: false },
      ],
    },
  },
  'onCall.list': {
    id: 'listSchedules',
    description: 'Returns on-call schedules, newest first.',
    answer: { schedules: [schedule], ...page },
  },
  'onCall.get': { id: 'getSchedule', description: '', answer: { schedule } },
  'onCall.timeline': {
    id: 'getTimeline',
    description:
      'Returns the shifts of a schedule between `from` (now) and `to` (14 days later), at most 92 days, or less of a schedule that changes more than 16 times a day: of each layer by itself, and what comes of all layers and overrides. They cover the range without gaps; `user` is null where nobody is on call.',
    answer: {
      timeline: {
        from: shift.startsAt,
        to: shift.endsAt,
        layers: [{ name: layer.name, shifts: [shift] }],
        overrides: [],
        final: [shift],
      },
    },
  },
  'onCall.create': {
    id: 'createSchedule',
    description:
      'Creates an on-call schedule. In each layer, people take turns in the order of `userIds`. Turns by days and weeks change at `handoverTime` by the clocks of `timezone`, also when these are moved. The first layer that has somebody counts. A person who leaves the team keeps their turns, in which the layer has nobody, so that nobody else is moved. All layers together can change at most 48 times a day: at hand-overs, and where restrictions start and end.',
    body: { name: schedule.name, timezone: schedule.timezone, layers: [layer] },
    answer: { schedule },
  },
  'onCall.update': {
    id: 'updateSchedule',
    description: 'Updates the given fields; at least one is required. `layers` replaces all layers.',
    body: { name: 'Payments EU' },
    answer: { schedule: { ...schedule, name: 'Payments EU' } },
  },
  'onCall.delete': {
    id: 'deleteSchedule',
    description: 'Deletes a schedule. Steps of escalation policies no longer notify anyone through it.',
    answer: { ok: true },
  },
  'onCall.createOverride': {
    id: 'createOverride',
    description:
      'Has a member be on call instead of the layers. Of overrides that overlap, the latest counts. Members can take shifts and give away their own; admins and owners can do both for everybody.',
    body: { userId: robin.id, startsAt: override.startsAt, endsAt: override.endsAt, reason: override.reason },
    answer: { override },
  },
  'onCall.updateOverride': {
    id: 'updateOverride',
    description:
      'Updates the given fields; at least one is required. Members can change overrides of themselves and those that they created, to what they could create.',
    params: { overrideId: override.id },
    body: { endsAt: '2026-11-21T08:00:00.000Z' },
    answer: { override: { ...override, endsAt: '2026-11-21T08:00:00.000Z' } },
  },
  'onCall.deleteOverride': {
    id: 'deleteOverride',
    description: 'Deletes an override. Members can delete those of themselves and those that they created.',
    params: { overrideId: override.id },
    answer: { ok: true },
  },
  'escalationPolicies.list': {
    id: 'listEscalationPolicies',
    description:
      'Returns escalation policies, newest first; with `targetId` those whose steps name this person, schedule or channel, and of a person also those that name a schedule with their turns.',
    answer: { escalationPolicies: [escalationPolicy], ...page },
  },
  'escalationPolicies.get': {
    id: 'getEscalationPolicy',
    description:
      'Returns an escalation policy. `warnings` says what keeps it from notifying somebody now or in the next 7 days: people without a contact method, failing contact methods and channels, gaps of schedules, and steps that can notify nobody.',
    answer: { escalationPolicy },
  },
  'escalationPolicies.create': {
    id: 'createEscalationPolicy',
    description:
      'Creates an escalation policy. When an incident opens, the steps are taken one after the other, each `waitMinutes` after a message of the one before was accepted (at most 2 min longer), until somebody acknowledges or resolves it; then `repeat` more times. It covers incidents of at least `minSeverity` of the monitors in `monitorIds` and of those that have one of `tags`; if both are omitted, all incidents of the team. An incident follows one policy: one that names its monitor, before one by tag, before one for all; of several, the one with the strictest `minSeverity`, then the oldest. If its warnings cannot be read once it is saved, they are one with the code `warnings_unavailable`.',
    body: { name, steps, repeat, monitorIds, minSeverity },
    answer: { escalationPolicy },
  },
  'escalationPolicies.update': {
    id: 'updateEscalationPolicy',
    description:
      'Updates the given fields; at least one is required. Running escalations continue with the policy as it was when they started; who is on call is determined when a step begins. If the warnings cannot be read once it is saved, they are one with the code `warnings_unavailable`.',
    body: { repeat: 1 },
    answer: { escalationPolicy: { ...escalationPolicy, repeat: 1 } },
  },
  'escalationPolicies.delete': {
    id: 'deleteEscalationPolicy',
    description: 'Deletes an escalation policy. Escalations that run go on.',
    answer: { ok: true },
  },
};
