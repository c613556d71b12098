import { z } from 'zod';
import { ChannelState, type ChannelType, channelTypes, DeliveryHold } from '@/server/channel-lists/schema';
import { ExternalId } from '@/server/external-ids/schema';
import { Page } from '@/server/lists/schema';
import { readOnly } from '@/server/text/read-only';
import { IfUpdatedAt, Line } from '@/server/text/schema';
import { channelDefinitionOf, channelDefinitions } from './providers/definitions';
import { targets, templateText } from './templates/template';

export { type ChannelCategory, ChannelState, type ChannelType, channelTypes } from '@/server/channel-lists/schema';
export type { ConfigField } from './providers/definition';
export { type ChannelConfig, channelDefinitionOf, channelDefinitions } from './providers/definitions';
export { placeholders } from './templates/placeholders';

type Definitions = typeof channelDefinitions;

const Name = Line.min(1, { error: 'Enter a name.' }).max(100);

const GivenExternalId = ExternalId.nullable().optional();

type CreateOf<T extends ChannelType> = T extends ChannelType
  ? z.ZodObject<
      {
        type: z.ZodLiteral<T>;
        name: typeof Name;
        config: Definitions[T]['schema'];
        externalId: typeof GivenExternalId;
      },
      z.core.$strict
    >
  : never;

const createOptions = channelTypes.map((type) =>
  z.strictObject({
    type: z.literal(type),
    name: Name,
    config: channelDefinitions[type].schema,
    externalId: GivenExternalId,
  }),
);
// TypeScript does not preserve the pairing of kind and config through the map.
export const CreateChannelInput = z.discriminatedUnion('type', createOptions as unknown as [CreateOf<ChannelType>]);
export type CreateChannelInput = z.output<typeof CreateChannelInput>;

export const ChannelId = z.strictObject({ id: z.string() });

const common = {
  id: z.string(),
  teamId: z.string(),
  name: z.string(),
  state: ChannelState,
  /** The first failed attempt since the last accepted message. */
  failingSince: z.iso.datetime().nullable(),
  /** Why the last attempt failed; null once a message is accepted. */
  lastError: z.string().nullable(),
  /** The last accepted message, to the minute. */
  lastDeliveredAt: z.iso.datetime().nullable(),
  /** The end of the time during which the secret before the last rotation also signs messages; null if it signs no more. */
  previousSecretUntil: z.iso.datetime().nullable(),
  /** The channel's own fallback; null to use the team's. */
  fallbackChannelId: z.string().nullable(),
  externalId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/** Whether the address of an email channel gets messages: `confirmed` gets all, a `member` of the team a limited number, `pending` none. */
export const Confirmation = z.enum(['confirmed', 'member', 'pending']);
export type Confirmation = z.output<typeof Confirmation>;

const updateFields = {
  id: z.string(),
  name: Name.optional(),
  config: z.record(z.string(), z.unknown()).optional().meta({
    description: 'The complete config, as when creating a channel of this type. A secret sent as its mask is kept.',
  }),
  ifUpdatedAt: IfUpdatedAt,
};
const { id: _id, name: _name, externalId: _externalId, ...fixed } = common;

/** Changes to a channel, or a whole one sent back. The verb validates the config by the schema of the channel's type. */
export const UpdateChannelInput = z
  .strictObject({
    ...updateFields,
    externalId: GivenExternalId,
    ...readOnly(z.object(fixed)),
    type: z.enum(channelTypes).optional(),
    confirmation: Confirmation.optional(),
    callbackUrl: z.string().optional(),
  })
  .refine(({ name, config, externalId }) => name !== undefined || config !== undefined || externalId !== undefined, {
    error: 'Provide at least one of name, config, externalId.',
  });
export type UpdateChannelInput = z.output<typeof UpdateChannelInput>;

/** The content of the page of a confirmation link. */
export const ConfirmationView = z.object({ teamName: z.string(), address: z.string(), isConfirmed: z.boolean() });
export type ConfirmationView = z.output<typeof ConfirmationView>;

type AnyOption = z.ZodObject<{ type: z.ZodLiteral<ChannelType> }>;

/** A channel of any kind: the fields of its config by name. One type for all kinds, because a union of them makes each type check twice as slow. */
type AnyChannel = z.output<z.ZodObject<typeof common>> & {
  type: ChannelType;
  config: Record<string, string>;
  confirmation?: Confirmation;
  callbackUrl?: string;
};

const channelOptions = channelTypes.map((type) => {
  const { schema, recipient, callback } = channelDefinitionOf(type);
  const config = z.object(
    Object.fromEntries(Object.keys(schema.shape).map((field) => [field, z.string().default('')])),
  );
  return z.object({
    ...common,
    type: z.literal(type),
    config,
    ...(recipient && { confirmation: Confirmation }),
    ...(callback && {
      callbackUrl: z.string().meta({ description: 'Where the provider sends the buttons that are pressed.' }),
    }),
  });
});

/** A channel as returned; secrets are masked, except for a generated one in the response that creates it. */
export const Channel = z.discriminatedUnion('type', channelOptions as unknown as [AnyOption]) as unknown as z.ZodType<
  AnyChannel,
  AnyChannel
>;
export type Channel = z.output<typeof Channel>;

/** The kinds that reach a person: receivers that keep a copy of each incident are machines. */
export const contactMethodTypes = channelTypes.filter((type) => !channelDefinitionOf(type).mirrorsIncidents);

/** The delay between the start of an escalation step and the use of a contact method, if the incident is not acknowledged by then. */
const DelayMinutes = z.int().min(0).max(120);

const isForPeople = (option: { shape: { type: z.ZodLiteral<ChannelType> } }) =>
  contactMethodTypes.includes(option.shape.type.value);
const createOwnOptions = createOptions
  .filter(isForPeople)
  .map((option) => option.omit({ externalId: true }).extend({ delayMinutes: DelayMinutes.default(0) }));

/** A new contact method of the caller. */
export const CreateContactMethodInput = z.discriminatedUnion(
  'type',
  createOwnOptions as unknown as [CreateOf<ChannelType>],
) as unknown as z.ZodType<CreateChannelInput & { delayMinutes: number }>;
export type CreateContactMethodInput = z.output<typeof CreateContactMethodInput>;

/** Changes to a contact method; at least one is required. */
export const UpdateContactMethodInput = z
  .strictObject({ ...updateFields, delayMinutes: DelayMinutes.optional() })
  .refine(
    ({ name, config, delayMinutes }) => name !== undefined || config !== undefined || delayMinutes !== undefined,
    {
      error: 'Send a name, a config, a delay, or several of them.',
    },
  );
export type UpdateContactMethodInput = z.output<typeof UpdateContactMethodInput>;

/** All of the caller's contact methods in their new order. */
export const ReorderContactMethodsInput = z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(100) });
export type ReorderContactMethodsInput = z.output<typeof ReorderContactMethodsInput>;

const ownOptions = channelOptions
  .filter((option) => isForPeople(option as never))
  .map((option) => option.omit({ externalId: true }).extend({ delayMinutes: z.int() }));

/** A channel of one member, which escalations use. */
export type ContactMethod = Channel & { delayMinutes: number };
export const ContactMethod = z.discriminatedUnion(
  'type',
  ownOptions as unknown as [AnyOption],
) as unknown as z.ZodType<ContactMethod>;

/** One attempt to send a message. `statusCode` is null without a response, `error` if it was accepted. */
const DeliveryAttempt = z.object({
  at: z.iso.datetime(),
  statusCode: z.int().nullable(),
  error: z.string().nullable(),
  durationMs: z.int(),
});

export const EventType = z.enum([
  'incident.opened',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reminder',
  'incident.escalated',
  'incident.reopened',
  'monitor.certificate_expiring',
  'maintenance.upcoming',
  'maintenance.started',
  'maintenance.ended',
  'maintenance.cancelled',
  'channel.failing',
  'channel.recovered',
  'channel.test',
]);
export type EventType = z.output<typeof EventType>;

/** The events that webhooks get: reminders are for people only. */
export const WebhookEvent = EventType.exclude(['incident.reminder']);
export type WebhookEvent = z.output<typeof WebhookEvent>;

/** One message to one channel. `nextAttemptAt` is null once its status is final, and while it waits for an earlier one about the same incident. */
export const Delivery = z.object({
  id: z.string(),
  channelId: z.string(),
  incidentId: z.string().nullable(),
  /** The delivery to a failing channel that this one was copied from; null if it was not forwarded. */
  forwardedFrom: z.object({ id: z.string(), channelId: z.string(), channelName: z.string() }).nullable(),
  /** The monitor of the event, with its name at that time; null without one. */
  monitorName: z.string().nullable(),
  event: EventType,
  status: z.enum(['pending', 'delivered', 'failed']),
  webhookId: z.string(),
  attempts: z.array(DeliveryAttempt),
  nextAttemptAt: z.iso.datetime().nullable(),
  /** Whether an attempt is being made. `nextAttemptAt` is then when it is repeated if its sender dies. */
  isSending: z.boolean(),
  hold: DeliveryHold,
  /** The last replay, and who made it: the name, email address or key. */
  replayedAt: z.iso.datetime().nullable(),
  replayedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type Delivery = z.output<typeof Delivery>;

export { AlertGrouping, ChannelRules, eventsOf, QuietHours, UpdateRulesInput, weekdays } from './rules/rules';

const Headers = z.record(z.string(), z.string());

/** A request and its answer, without credentials. Bodies are cut after 4,096 characters. */
const DeliveryExchange = z.object({
  request: z.object({ method: z.string(), url: z.string(), headers: Headers, body: z.string().nullable() }),
  response: z
    .object({
      statusCode: z.int(),
      headers: Headers,
      body: z
        .string()
        .nullable()
        .meta({ description: 'Null if the channel does not save response bodies (`saveResponseBody`).' }),
    })
    .nullable(),
});

/** A delivery with the request and the answer of each attempt; null if no request was made, or it is no longer stored. */
export const DeliveryDetail = Delivery.extend({
  attempts: z.array(DeliveryAttempt.extend({ exchange: DeliveryExchange.nullable() })),
});
export type DeliveryDetail = z.output<typeof DeliveryDetail>;

export const DeliveryId = z.strictObject({ id: z.string(), deliveryId: z.string() });
export type DeliveryId = z.output<typeof DeliveryId>;

/** Selects the failed deliveries of a channel that were created in a time range, and optionally the delivered ones. */
export const ReplayDeliveriesInput = z
  .strictObject({
    id: z.string(),
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }),
    includeDelivered: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether messages that the receiver accepted are replayed too.' }),
    cursor: z.string().max(200).optional().meta({ description: 'The nextCursor of the previous response.' }),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    path: ['to'],
    error: 'Enter a time after the start.',
  });
export type ReplayDeliveriesInput = z.output<typeof ReplayDeliveriesInput>;

/** The number of deliveries that were made pending, and of those that remain in the range. `nextCursor` continues there. */
export const ReplayedDeliveries = z.object({ replayed: z.int(), left: z.int(), nextCursor: z.string().nullable() });
export type ReplayedDeliveries = z.output<typeof ReplayedDeliveries>;

/** The longest time that a previous signing secret stays valid. */
const MOST_GRACE_HOURS = 7 * 24;

export const RotateSecretInput = z.strictObject({
  id: z.string(),
  graceHours: z
    .int()
    .min(0)
    .max(MOST_GRACE_HOURS, { error: `Enter at most ${MOST_GRACE_HOURS} h.` })
    .default(24)
    .meta({ description: 'For how long messages are signed with the former secret too; 0 ends it at once.' }),
});
export type RotateSecretInput = z.output<typeof RotateSecretInput>;

export const ListDeliveriesInput = Page.extend({ id: z.string() });
export type ListDeliveriesInput = z.output<typeof ListDeliveriesInput>;

export const SetFallbackInput = z.strictObject({
  id: z.string(),
  fallbackChannelId: z.string().nullable().meta({ description: "Null for the team's fallback channel." }),
});
export type SetFallbackInput = z.output<typeof SetFallbackInput>;

/** The channel that gets the messages of a team's failing channels. */
export const TeamFallback = z.strictObject({ fallbackChannelId: z.string().nullable() });
export type TeamFallback = z.output<typeof TeamFallback>;

/** The events whose messages a template can change. */
export const TemplatedEvent = EventType.exclude(['channel.failing', 'channel.recovered', 'channel.test']);
export type TemplatedEvent = z.output<typeof TemplatedEvent>;

const Subject = templateText(200, targets.subject).regex(/^[^\r\n]*$/, { error: 'Use one line.' });

/** The texts of one event's messages through a channel; null for Upwatch's own. */
export const ChannelTemplate = z.strictObject({
  event: TemplatedEvent,
  /** Settings that may not be saved yet. Without `id`, the kind and its complete config are required. */
  subject: Subject.min(1).nullable(),
  body: templateText(4000, targets.message).min(1).nullable(),
});
export type ChannelTemplate = z.output<typeof ChannelTemplate>;

export const ChannelTemplates = z
  .array(ChannelTemplate)
  .max(TemplatedEvent.options.length)
  .superRefine((templates, ctx) => {
    for (const [index, { event }] of templates.entries()) {
      if (templates.findIndex((each) => each.event === event) === index) continue;
      ctx.addIssue({ code: 'custom', path: [index, 'event'], message: 'Each event can have one template.' });
    }
  });
export type ChannelTemplates = z.output<typeof ChannelTemplates>;

export const SetTemplatesInput = z.strictObject({ id: z.string(), templates: ChannelTemplates });
export type SetTemplatesInput = z.output<typeof SetTemplatesInput>;

/** A draft of a contact method of the caller. */
export const ChannelDraft = z.strictObject({
  id: z.string().optional(),
  type: z.enum(channelTypes).optional(),
  config: z.record(z.string(), z.unknown()).optional().meta({
    description:
      'The complete config, as when creating a channel of this type; the stored one if it is omitted. A secret sent as its mask is the stored one of this channel.',
  }),
});
export type ChannelDraft = z.output<typeof ChannelDraft>;

/** A draft of a contact method of the caller. */
export const ContactMethodDraft = ChannelDraft.extend({
  type: z.enum(contactMethodTypes as [ChannelType, ...ChannelType[]]).optional(),
});

/** The result of one attempt to send a test. */
export const TestResult = z.object({
  isDelivered: z.boolean(),
  /** Null without a response. */
  statusCode: z.int().nullable(),
  /** The error; null if the message was accepted. */
  error: z.string().nullable(),
  durationMs: z.int(),
  /** A side effect of the test, such as resolving the alert that it opened; null for none. */
  note: z.string().nullable(),
  /** Null if no HTTP request was made. */
  exchange: DeliveryExchange.nullable(),
});
export type TestResult = z.output<typeof TestResult>;

/** The delivery of a test message to a saved channel, with the side effect of a successful test as in `TestResult`. */
export const TestDelivery = z.object({ delivery: Delivery, note: z.string().nullable() });
export type TestDelivery = z.output<typeof TestDelivery>;

/** The input of a preview, which sends nothing. */
export const PreviewMessageInput = ChannelDraft.extend({
  event: TemplatedEvent.default('incident.opened'),
  subject: ChannelTemplate.shape.subject.default(null),
  body: ChannelTemplate.shape.body.default(null),
});
export type PreviewMessageInput = z.output<typeof PreviewMessageInput>;

export const MessagePreview = z.object({
  /** The incident that the message is about; null for an example. */
  incidentId: z.string().nullable(),
  headline: z.string(),
  details: z.array(z.string()),
  /** Whether the provider's limits shorten the texts. Links are kept. */
  isShortened: z.boolean(),
  /** The request without secrets, or the text of an email (`SMTP`); null for a kind whose messages are encrypted. */
  request: z
    .object({
      method: z.string(),
      url: z.string(),
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      body: z.string(),
    })
    .nullable(),
});
export type MessagePreview = z.output<typeof MessagePreview>;
