import { z } from 'zod';
import { CreateMaintenanceWindowInput } from '@/server/maintenance/schema';
import { CreateMonitorInput, IncidentSeverity, type MonitorType } from '@/server/monitor-types/schema';
import {
  AlertGrouping,
  ChannelRules,
  type ChannelTemplate,
  ChannelTemplates,
  type ChannelType,
  CreateChannelInput,
} from '@/server/notifications/schema';
import { CreatePolicyInput, CreateScheduleInput, EscalationStep, Layer } from '@/server/on-call/schema';
import { CreateComponentInput, CreateStatusPageInput, DisplayName } from '@/server/status-pages/schema';
import { Instant } from '@/server/text/schema';

// The form of the files that `upwatch apply` reads: the schemas of the API, with keys in place of IDs.

/** Names an object in the files. Other objects refer to it by its key. */
export const Key = z
  .string()
  .max(100, 'Use at most 100 characters.')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and single hyphens, such as shop-eu.');

const Keys = z.array(Key).max(1_000);
const toIso = (text: string) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString());
const Moment = Instant.overwrite(toIso);

/** The monitors that something applies to: those with these keys or one of the tags; without both, all of the team. */
const scope = { monitors: Keys.nullable().default(null), tags: ChannelRules.shape.tags.default([]) };

export interface MonitorSpec {
  type: MonitorType;
  name: string;
  config: Record<string, unknown>;
  intervalSeconds?: number | undefined;
  isActive: boolean;
  tags: string[];
  regions: string[];
  severity: z.infer<typeof IncidentSeverity>;
  /** Null: all channels of the team. */
  channels: string[] | null;
  parent: string | null;
}

const anyMonitor = CreateMonitorInput.options[0].shape;
const monitorOptions = CreateMonitorInput.options.map((option) =>
  option.omit({ channelIds: true, externalId: true }).extend({
    isActive: z.boolean().default(true),
    tags: anyMonitor.tags.unwrap().default([]),
    regions: anyMonitor.regions.unwrap().default([]),
    severity: IncidentSeverity.default('critical'),
    channels: Keys.max(100).nullable().default(null),
    parent: Key.nullable().default(null),
  }),
);
const MonitorSpec = z.discriminatedUnion('type', monitorOptions as unknown as [(typeof monitorOptions)[0]]);

const RulesSpec = z.strictObject({
  ...scope,
  minSeverity: ChannelRules.shape.minSeverity.default('minor'),
  events: ChannelRules.shape.events.optional().meta({ description: 'All that the kind can send, if omitted.' }),
  quietHours: ChannelRules.shape.quietHours.default(null),
  maxPerMinute: ChannelRules.shape.maxPerMinute.default(5),
  reminderMinutes: ChannelRules.shape.reminderMinutes.default(0),
});

export interface ChannelSpec {
  type: ChannelType;
  name: string;
  config: Record<string, string>;
  rules: z.output<typeof RulesSpec>;
  templates: ChannelTemplate[];
  fallback: string | null;
}

const channelOptions = CreateChannelInput.options.map((option) =>
  option.omit({ externalId: true }).extend({
    rules: RulesSpec.prefault({}),
    templates: ChannelTemplates.default([]),
    fallback: Key.nullable().default(null),
  }),
);
const ChannelSpec = z.discriminatedUnion('type', channelOptions as unknown as [(typeof channelOptions)[0]]);

const ofWindow = CreateMaintenanceWindowInput.shape;
const WindowSpec = z.strictObject({
  title: ofWindow.title,
  description: ofWindow.description.unwrap().default(null),
  startsAt: Moment,
  endsAt: Moment,
  recurrence: ofWindow.recurrence.unwrap().default(null),
  timezone: ofWindow.timezone.unwrap().default('UTC'),
  ...scope,
  checks: ofWindow.checks.unwrap().default('continue'),
  isAnnounced: z.boolean().default(true),
  announceHours: ofWindow.announceHours.unwrap().default(null),
  notifiesChannels: z.boolean().default(false),
  skip: z.array(Moment).max(100).default([]).meta({ description: 'The starts of future occurrences to skip.' }),
});
export type WindowSpec = z.output<typeof WindowSpec>;

/** A member of the team, by the email address of the account. */
const Member = z.string().min(1).max(254);
const ScheduleSpec = z.strictObject({
  name: CreateScheduleInput.shape.name,
  timezone: CreateScheduleInput.shape.timezone,
  layers: z
    .array(
      Layer.omit({ userIds: true }).extend({
        people: z.array(Member).min(1, 'Choose at least one person.').max(50, 'Choose at most 50 people.'),
      }),
    )
    .min(1, 'Add at least one layer.')
    .max(10, 'Add at most 10 layers.'),
});
export type ScheduleSpec = z.output<typeof ScheduleSpec>;

const TargetSpec = z.union([
  z.strictObject({ user: Member }),
  z.strictObject({ schedule: Key }),
  z.strictObject({ channel: Key }),
]);
export type TargetSpec = z.output<typeof TargetSpec>;
const PolicySpec = z.strictObject({
  name: CreatePolicyInput.shape.name,
  steps: z
    .array(
      z.strictObject({
        targets: z.array(TargetSpec).min(1, 'Choose at least one person, schedule or channel.').max(20),
        waitMinutes: EscalationStep.shape.waitMinutes,
      }),
    )
    .min(1, 'Add at least one step.')
    .max(10, 'Add at most 10 steps.'),
  repeat: CreatePolicyInput.shape.repeat.unwrap().default(0),
  ...scope,
  minSeverity: IncidentSeverity.default('minor'),
});
export type PolicySpec = z.output<typeof PolicySpec>;

const ofPage = CreateStatusPageInput.shape;
const ItemSpec = z.union([
  z.strictObject({ monitor: Key, name: DisplayName.optional() }),
  z.strictObject({
    component: CreateComponentInput.shape.name,
    description: CreateComponentInput.shape.description.unwrap().default(''),
  }),
]);
export type ItemSpec = z.output<typeof ItemSpec>;
const PageSpec = z.strictObject({
  slug: ofPage.slug,
  title: ofPage.title,
  description: ofPage.description.unwrap().default(''),
  isPublic: z.boolean().default(true),
  items: z
    .array(ItemSpec)
    .max(1_000)
    .default([])
    .meta({ description: 'Monitors, and components without a monitor, in the order that customers see.' }),
});
export type PageSpec = z.output<typeof PageSpec>;

/** Settings of the team; what is omitted stays as it is. */
const TeamSpec = z.strictObject({
  alertGroupSeconds: AlertGrouping.shape.seconds.optional(),
  fallbackChannel: Key.nullable().optional(),
});
export type TeamSpec = z.output<typeof TeamSpec>;

/** The objects that files can describe, in the order of their dependencies. */
export const sections = [
  'channels',
  'monitors',
  'schedules',
  'escalationPolicies',
  'maintenanceWindows',
  'statusPages',
] as const;
export type Section = (typeof sections)[number];

export interface SpecOf {
  channels: ChannelSpec;
  monitors: MonitorSpec;
  schedules: ScheduleSpec;
  escalationPolicies: PolicySpec;
  maintenanceWindows: WindowSpec;
  statusPages: PageSpec;
}
export type Spec = SpecOf[Section];

export const specSchemas = {
  channels: ChannelSpec as unknown as z.ZodType<ChannelSpec>,
  monitors: MonitorSpec as unknown as z.ZodType<MonitorSpec>,
  schedules: ScheduleSpec,
  escalationPolicies: PolicySpec,
  maintenanceWindows: WindowSpec,
  statusPages: PageSpec,
} satisfies { [S in Section]: z.ZodType<SpecOf[S]> };

/** The top level of a file. */
export const header = {
  version: z.literal(1, 'This version of Upwatch reads files with "version: 1".'),
  project: Key.max(50).default('main').meta({
    description: 'The files of a project are applied together. Objects of other projects stay as they are.',
  }),
  team: TeamSpec.optional(),
};

const described = {
  channels: 'Notification channels with their alert rules and message templates.',
  monitors: 'Monitors of all types, with their tags and the monitor that they depend on.',
  schedules: 'On-call schedules.',
  escalationPolicies: 'Who is notified of an incident until somebody acknowledges it.',
  maintenanceWindows: 'Maintenance windows, once or by a rule.',
  statusPages: 'Public status pages.',
} satisfies Record<Section, string>;

const ConfigFile = z.strictObject({
  ...header,
  ...Object.fromEntries(
    sections.map((section) => [
      section,
      z.record(Key, specSchemas[section]).optional().meta({ description: described[section] }),
    ]),
  ),
});

interface JsonSchema {
  [name: string]: unknown;
  properties?: Record<string, JsonSchema>;
  pattern?: string;
  format?: string;
}

const PLACEHOLDER = { type: 'string', pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}' };

/** Allows `${NAME}` in place of texts of a config that have a format. */
function allowPlaceholders(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(allowPlaceholders);
  if (typeof node !== 'object' || node === null) return node;
  const schema = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, allowPlaceholders(value)]),
  ) as JsonSchema;
  const hasFormat = schema.type === 'string' && (schema.pattern !== undefined || schema.format !== undefined);
  return hasFormat ? { anyOf: [schema, PLACEHOLDER] } : schema;
}

function withPlaceholders(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withPlaceholders);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      name === 'config' ? allowPlaceholders(value) : withPlaceholders(value),
    ]),
  );
}

/** Returns the JSON Schema of a file, for completion in editors. */
export function configFileSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ConfigFile, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
  return { ...(withPlaceholders(schema) as object), title: 'Upwatch configuration' };
}
