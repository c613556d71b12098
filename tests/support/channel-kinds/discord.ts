import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Embed = z.strictObject({
  title: z.string().max(256),
  description: z.string().max(4096),
  url: z.url(),
  color: z.int().min(0).max(0xffffff),
  timestamp: z.iso.datetime(),
});
const Row = z.strictObject({
  type: z.literal(1),
  components: z
    .array(
      z.strictObject({
        type: z.literal(2),
        style: z.literal(1),
        label: z.string().min(1).max(80),
        custom_id: z.string().min(1).max(100),
      }),
    )
    .min(1)
    .max(5),
});
const CODES: Record<number, number> = { 400: 50035, 401: 50027, 403: 50013, 404: 10015 };

/** Webhooks of Discord. */
export const discord: KindSpec<'discord'> = {
  config: (url) => ({ webhookUrl: `${url}/api/webhooks/1/discord-secret`, publicKey: 'ab'.repeat(32) }),
  secrets: ['discord-secret'],
  request: /^POST \/api\/webhooks\/1\/discord-secret\?wait=true$/,
  // https://discord.com/developers/docs/reference#user-agent
  headers: { ...JSON_TYPE, 'user-agent': /^DiscordBot \(https?:\/\/\S+, \S+\)/ },
  read: readJson,
  body: z.strictObject({
    username: z.string().max(80).optional(),
    embeds: z.array(Embed).length(1),
    components: z.array(Row).max(5).optional(),
    allowed_mentions: z.strictObject({ parse: z.array(z.string()).length(0) }),
  }),
  good: json(200, { id: '12345', content: '' }),
  text: (body: { embeds: { title: string; description: string }[] }) =>
    body.embeds.map(({ title, description }) => `${title}\n${description}`).join('\n'),
  markup: 'discord',
  failure: (status, message) => json(status, { message, code: CODES[status] ?? 0 }),
  permanent: [400, 401, 403, 404],
  passing: [500],
  judged: [
    [220001, 'Webhooks posted to forum channels must have a thread_name or thread_id', true],
    [200000, 'Message was blocked by automatic moderation', true],
    [130000, 'API resource is currently overloaded. Try again a little later', false],
    [40333, 'Cloudflare is blocking your request.', false],
  ].map(([code, message, permanent]) => ({ answer: json(400, { message, code }), permanent: permanent === true })),
  throttled: {
    answer: json(429, { message: 'You are being rate limited.', retry_after: 12.3, global: false }),
    seconds: 13,
  },
  update: { ref: '12345', request: /^PATCH \/api\/webhooks\/1\/discord-secret\/messages\/12345$/ },
};
