import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Button = z.strictObject({
  text: z.string(),
  onClick: z.strictObject({ openLink: z.strictObject({ url: z.url() }) }),
});
const Widget = z.union([
  z.strictObject({ textParagraph: z.strictObject({ text: z.string().min(1) }) }),
  z.strictObject({ buttonList: z.strictObject({ buttons: z.array(Button).min(1) }) }),
]);
const Card = z.strictObject({
  header: z.strictObject({ title: z.string().min(1) }),
  sections: z.array(z.strictObject({ widgets: z.array(Widget).min(1) })).min(1),
});
const Body = z.strictObject({
  cardsV2: z.array(z.strictObject({ cardId: z.string(), card: Card })).length(1),
  thread: z.strictObject({ threadKey: z.string().max(4000) }),
});

/** A webhook of a Google Chat space. A message may have 32,000 bytes. */
export const googleChat: KindSpec<'google_chat'> = {
  config: (url) => ({ webhookUrl: `${url}/v1/spaces/AAA/messages?key=k&token=chat-secret` }),
  secrets: ['chat-secret'],
  request:
    /^POST \/v1\/spaces\/AAA\/messages\?key=k&token=chat-secret&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD$/,
  headers: JSON_TYPE,
  read: readJson,
  body: Body.refine((body) => Buffer.byteLength(JSON.stringify(body)) <= 32_000),
  good: json(200, { name: 'spaces/AAA/messages/1' }),
  text: ({ cardsV2 }: z.infer<typeof Body>) =>
    cardsV2
      .flatMap(({ card }) => card.sections.flatMap(({ widgets }) => widgets))
      .map((widget) => ('textParagraph' in widget ? widget.textParagraph.text : ''))
      .join('\n'),
  markup: 'html',
  failure: (status, message) => json(status, { error: { code: status, message, status: 'INVALID_ARGUMENT' } }),
  permanent: [400, 401, 403, 404],
  passing: [500, 503],
  throttled: {
    answer: json(
      429,
      { error: { code: 429, message: 'Resource has been exhausted', status: 'RESOURCE_EXHAUSTED' } },
      { 'retry-after': '3' },
    ),
    seconds: 3,
  },
};
