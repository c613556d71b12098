import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Run = z.looseObject({ type: z.literal('TextRun'), text: z.string().min(1) });
const Card = z.strictObject({
  $schema: z.url(),
  type: z.literal('AdaptiveCard'),
  version: z.enum(['1.2', '1.3', '1.4', '1.5']),
  msteams: z.strictObject({ width: z.literal('Full') }),
  body: z.array(z.strictObject({ type: z.literal('RichTextBlock'), inlines: z.array(Run).min(1) })).min(1),
  actions: z.array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string(), url: z.url() })).max(6),
});
const Attachment = z.strictObject({
  contentType: z.literal('application/vnd.microsoft.card.adaptive'),
  contentUrl: z.null(),
  content: Card,
});

const PATH =
  '/powerautomate/automations/direct/workflows/1/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=teams-secret';
const CODES: Record<number, string> = { 401: 'DirectApiAuthorizationRequired', 404: 'WorkflowNotFound' };

/** A workflow of Power Automate that posts an adaptive card to Teams. A message may have 28 KB. */
export const microsoftTeams: KindSpec<'microsoft_teams'> = {
  config: (url) => ({ webhookUrl: `${url}${PATH}` }),
  secrets: ['teams-secret'],
  request: new RegExp(`^POST ${PATH.replace(/[?.]/g, '\\$&')}$`),
  headers: JSON_TYPE,
  read: readJson,
  body: z
    .strictObject({ type: z.literal('message'), attachments: z.array(Attachment).length(1) })
    .refine((body) => Buffer.byteLength(JSON.stringify(body)) <= 28 * 1024),
  good: { status: 202 },
  text: (body: { attachments: { content: { body: { inlines: { text: string }[] }[] } }[] }) =>
    body.attachments
      .flatMap(({ content }) => content.body.flatMap(({ inlines }) => inlines.map(({ text }) => text)))
      .join('\n'),
  markup: 'plain',
  failure: (status, message) => json(status, { error: { code: CODES[status] ?? 'BadRequest', message } }),
  permanent: [400, 401, 403, 404],
  passing: [500, 502],
  throttled: {
    answer: json(429, { error: { code: 'TooManyRequests', message: 'Slow down' } }, { 'retry-after': '20' }),
    seconds: 20,
  },
};
