import { z } from 'zod';
import { JSON_TYPE, type KindSpec, readJson } from './spec';

const Text = z.strictObject({
  type: z.enum(['plain_text', 'mrkdwn']),
  text: z.string().min(1).max(3000),
  emoji: z.boolean().optional(),
});
const Button = z.strictObject({
  type: z.literal('button'),
  action_id: z.string().min(1).max(255),
  text: Text.refine(({ type, text }) => type === 'plain_text' && text.length <= 75),
  value: z.string().min(1).max(2000),
});
const Block = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('header'),
    text: Text.refine(({ type, text }) => type === 'plain_text' && text.length <= 150),
  }),
  z.strictObject({ type: z.literal('section'), text: Text }),
  z.strictObject({ type: z.literal('actions'), elements: z.array(Button).min(1).max(25) }),
  z.strictObject({ type: z.literal('context'), elements: z.array(Text).min(1).max(10) }),
]);

const CODES: Record<number, string> = {
  400: 'invalid_blocks',
  403: 'invalid_token',
  404: 'channel_not_found',
  410: 'channel_is_archived',
};

/** All texts of all blocks together; more is `msg_blocks_too_long`. */
const MOST_IN_BLOCKS = 12_000;
const lengthOf = (blocks: z.infer<typeof Block>[]) =>
  [...JSON.stringify(blocks).matchAll(/"text":("(?:[^"\\]|\\.)*")/g)].reduce(
    (sum, [, text = '""']) => sum + (JSON.parse(text) as string).length,
    0,
  );

/** Incoming webhooks of Slack, with Block Kit. Errors are plain text. */
export const slack: KindSpec<'slack'> = {
  config: (url) => ({ webhookUrl: `${url}/services/T0/B0/slack-secret`, signingSecret: 'slack_signing_secret' }),
  secrets: ['slack-secret', 'slack_signing_secret'],
  request: /^POST \/services\/T0\/B0\/slack-secret$/,
  headers: JSON_TYPE,
  read: readJson,
  body: z.strictObject({
    text: z.string().min(1).max(4_000),
    blocks: z
      .array(Block)
      .min(1)
      .max(50)
      .refine((blocks) => lengthOf(blocks) <= MOST_IN_BLOCKS),
    unfurl_links: z.boolean(),
  }),
  good: { status: 200, body: 'ok' },
  text: (body: { text: string }) => body.text,
  markup: 'html',
  failure: (status, text) => ({ status, body: CODES[status] ?? text }),
  permanent: [400, 403, 404, 410],
  passing: [500],
  judged: ['no_service', 'msg_blocks_too_long', 'rollup_error'].map((body) => ({
    answer: { status: 400, body },
    permanent: body !== 'rollup_error',
  })),
  throttled: { answer: { status: 429, headers: { 'retry-after': '30' }, body: 'rate_limited' }, seconds: 30 },
};
