import { z } from 'zod';
import { Page } from '@/server/lists/schema';
import { IfUpdatedAt } from '@/server/text/schema';

/** What a masked secret looks like from outside: what an answer shows, and what sent back leaves the value as it is. */
export const SECRET_MASK = /^••••.{0,4}$/u;

/** A secret of `value`'s form, or the mask that an earlier answer showed in its place. */
function secret(value: z.ZodType<string>, error: string) {
  return z.string({ error }).refine((text) => SECRET_MASK.test(text) || value.safeParse(text).success, { error });
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && hostname !== '' && username === '' && password === '';
}

const WEB_ADDRESS = 'Give an http:// or https:// address, without a user name or password in it.';
const WebAddress = z.string({ error: WEB_ADDRESS }).max(2048).refine(isWebAddress, { error: WEB_ADDRESS });
/** What may stand in an HTTP header or a JSON body as it is: visible ASCII. */
const Token = z.string().regex(/^[\x21-\x7e]{1,1000}$/);

/** Standard Webhooks: a secret starting `whsec_` is base64, any other its UTF-8 bytes. */
const WebhookSecret = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (text) =>
      !text.startsWith('whsec_') ||
      /^whsec_([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/.test(text),
  );

const EmailConfig = z.strictObject({
  to: z.email({ error: 'Give one email address.' }).max(254),
});
const WebhookUrlConfig = z.strictObject({ webhookUrl: secret(WebAddress, WEB_ADDRESS) });
const LineConfig = z.strictObject({
  channelAccessToken: secret(Token, 'Give the channel access token as LINE shows it.'),
  to: z.string().regex(/^[\x21-\x7e]{1,100}$/, { error: 'Give the id of a user, group or room.' }),
});
const WebhookConfig = z.strictObject({
  url: WebAddress,
  secret: secret(WebhookSecret, 'Give up to 500 characters; after "whsec_" they must be base64.').optional(),
});

/** The config of every channel type. */
export const configSchemas = {
  email: EmailConfig,
  slack: WebhookUrlConfig,
  discord: WebhookUrlConfig,
  line: LineConfig,
  webhook: WebhookConfig,
} as const;

export type ChannelType = keyof typeof configSchemas;
export type ChannelConfig<Type extends ChannelType = ChannelType> = z.output<(typeof configSchemas)[Type]>;

const Name = z.string().trim().min(1, { error: 'Give the channel a name.' }).max(100);

export const CreateChannelInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('email'), name: Name, config: EmailConfig }),
  z.strictObject({ type: z.literal('slack'), name: Name, config: WebhookUrlConfig }),
  z.strictObject({ type: z.literal('discord'), name: Name, config: WebhookUrlConfig }),
  z.strictObject({ type: z.literal('line'), name: Name, config: LineConfig }),
  z.strictObject({ type: z.literal('webhook'), name: Name, config: WebhookConfig }),
]);
export type CreateChannelInput = z.output<typeof CreateChannelInput>;

export const ChannelId = z.strictObject({ id: z.string() });

/** The channel's type decides what its config may hold; the verb holds it against that type's schema. */
export const UpdateChannelInput = z
  .strictObject({
    id: z.string(),
    name: Name.optional(),
    config: z.record(z.string(), z.unknown()).optional().meta({
      description: 'The whole config, as for creating a channel of this type. A mask leaves its secret as it is.',
    }),
    ifUpdatedAt: IfUpdatedAt,
  })
  .refine(({ name, config }) => name !== undefined || config !== undefined, {
    error: 'Give a name, a config or both.',
  });
export type UpdateChannelInput = z.output<typeof UpdateChannelInput>;

const common = {
  id: z.string(),
  teamId: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/**
 * Whether the address of an email channel gets messages: it `confirmed`, it belongs to a `member` of the team, or its
 * confirmation is `pending` and nothing is sent.
 */
export const Confirmation = z.enum(['confirmed', 'member', 'pending']);
export type Confirmation = z.output<typeof Confirmation>;

/** What the holder of a confirmation link is told. */
export const ConfirmationView = z.object({ teamName: z.string(), address: z.string(), isConfirmed: z.boolean() });
export type ConfirmationView = z.output<typeof ConfirmationView>;

/** A channel as it is returned; secrets are masked, but for a generated one in the answer that creates it. */
export const Channel = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('email'),
    config: z.object({ to: z.string() }),
    confirmation: Confirmation,
  }),
  z.object({ ...common, type: z.literal('slack'), config: z.object({ webhookUrl: z.string() }) }),
  z.object({ ...common, type: z.literal('discord'), config: z.object({ webhookUrl: z.string() }) }),
  z.object({
    ...common,
    type: z.literal('line'),
    config: z.object({ channelAccessToken: z.string(), to: z.string() }),
  }),
  z.object({ ...common, type: z.literal('webhook'), config: z.object({ url: z.string(), secret: z.string() }) }),
]);
export type Channel = z.output<typeof Channel>;

/** One try to hand a message over. `statusCode` is null where no answer came, `error` where it was accepted. */
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
  'monitor.certificate_expiring',
  'channel.test',
]);
export type EventType = z.output<typeof EventType>;

/**
 * One message to one channel. `nextAttemptAt` is null once its status is final, and while the message waits for an
 * earlier one about the same incident.
 */
export const Delivery = z.object({
  id: z.string(),
  channelId: z.string(),
  incidentId: z.string().nullable(),
  /** The monitor that it is about, as it was called then; null where it is about none. */
  monitorName: z.string().nullable(),
  event: EventType,
  status: z.enum(['pending', 'delivered', 'failed']),
  webhookId: z.string(),
  attempts: z.array(DeliveryAttempt),
  nextAttemptAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type Delivery = z.output<typeof Delivery>;

export const ListDeliveriesInput = Page.extend({ id: z.string() });
export type ListDeliveriesInput = z.output<typeof ListDeliveriesInput>;
