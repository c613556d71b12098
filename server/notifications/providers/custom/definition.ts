import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import { canParseUrl } from '@/server/platform/schema';
import { excessOf, problemOf, targets, templateText } from '../../templates/template';
import type { ChannelDefinition } from '../definition';
import { optionalSecret, SaveResponseBody, saveResponseBodyField, WEB_ADDRESS, WebAddress } from '../fields';

/** Headers that Upwatch or the connection sets. */
const RESERVED = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'upgrade',
  'te',
]);
/** A field of a header section (RFC 9110 §5): a token, a colon, visible characters. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\x20-\x7e]*)$/;

const MOST_OF_HEADERS = 4_000;

/** Parses headers, one "Name: value" per line. Returns null if a line has another form or the text is too long. */
export function readHeaders(text: string): [string, string][] | null {
  if (text.length > MOST_OF_HEADERS) return null;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const headers = lines.map((line) => HEADER.exec(line.trim()));
  return headers.every((match) => match !== null)
    ? headers.map(([, name = '', value = '']): [string, string] => [name.toLowerCase(), value.trim()])
    : null;
}

const Headers = z
  .string()
  .max(MOST_OF_HEADERS, { abort: true })
  .refine((text) => readHeaders(text)?.every(([name, value]) => !RESERVED.has(name) && problemOf(value) === null));

/** The escaping of a template depends on the content type of the body, but its minimum size does not. */
const Body = templateText(20_000, targets.text);

/** Placeholders may be part of the path and the query, but not of the origin, which decides where the request goes. */
const hasFixedOrigin = (url: string) => !canParseUrl(url) || !/[{}]|%7b|%7d/i.test(new URL(url).origin);

export const CustomConfig = z.strictObject({
  method: z
    .enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE'], { error: 'Enter POST, PUT, PATCH, GET or DELETE.' })
    .default('POST'),
  url: WebAddress.refine(hasFixedOrigin, { error: WEB_ADDRESS }).superRefine((url, ctx) => {
    const message = problemOf(url) ?? excessOf([url], targets.url);
    if (message) ctx.addIssue({ code: 'custom', message });
  }),
  contentType: z.enum(['json', 'form', 'text'], { error: 'Enter json, form or text.' }).default('json'),
  headers: optionalSecret(
    Headers,
    'Enter one header a line, as "Name: value". Host, Content-Type and Content-Length are set by Upwatch.',
  ).superRefine((text = '', ctx) => {
    const message = excessOf((readHeaders(text) ?? []).flat(), targets.headers);
    if (message) ctx.addIssue({ code: 'custom', message });
  }),
  body: Body.default('{"text": "{{headline}}\\n{{details}}\\n{{url}}"}'),
  saveResponseBody: SaveResponseBody,
});
export type CustomConfig = z.infer<typeof CustomConfig>;

export const custom = {
  ...channelKinds.custom,
  summary: 'Your own HTTP request',
  schema: CustomConfig,
  fields: {
    method: {
      label: 'Method',
      kind: 'select',
      optional: true,
      options: ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'].map((value) => ({ value, label: value })),
    },
    url: {
      label: 'URL',
      kind: 'url',
      placeholder: 'https://api.northwind.example/alerts/{{incident.id}}',
      help: 'Placeholders are allowed in the path and the query.',
    },
    contentType: {
      label: 'Content type',
      kind: 'select',
      optional: true,
      options: [
        { value: 'json', label: 'JSON' },
        { value: 'form', label: 'Form' },
        { value: 'text', label: 'Plain text' },
      ],
      help: 'Placeholder values are escaped for this format.',
    },
    headers: {
      label: 'Headers',
      kind: 'multiline',
      optional: true,
      placeholder: 'Authorization: Bearer …',
      help: 'One header per line.',
    },
    body: {
      label: 'Body',
      kind: 'multiline',
      optional: true,
      help: 'Put credentials into the headers, which are stored encrypted.',
    },
    saveResponseBody: saveResponseBodyField,
  },
  description: 'Any HTTP request, with placeholders in its path, query, headers and body. Nothing is evaluated.',
  secrets: { url: 'url', headers: 'credential' },
  endpoint: 'url',
  destination: ({ url }) => url,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<CustomConfig>;
