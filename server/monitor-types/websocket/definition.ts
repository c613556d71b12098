import { z } from 'zod';
import { completeAddress, suggestName, withoutScheme } from '../address';
import { Confirm, TimeoutMs } from '../config/confirm';
import { ConnectionTests } from '../config/connection-tests';
import { connectionTestsField, headersField, saveResponseBodyField } from '../config/form-fields';
import { Headers } from '../config/headers';
import { SaveResponseBody } from '../config/save-response-body';
import { trustFields, trustShape } from '../config/tls-trust';
import { addressOf } from '../config/url';
import type { TypeDefinition } from '../definition';
import { readSubprotocols, SUBPROTOCOLS } from './subprotocols';

/** The config of a check that opens a WebSocket. If `expect` is set, it sends `send` and requires a message that contains that text. */
export const WebSocketConfig = z.strictObject({
  url: addressOf(['wss', 'ws'], 'Enter the username and password in an authorization header, not in the URL.').refine(
    (text) => !text.includes('#'),
    'A WebSocket address has no # (RFC 6455, section 3).',
  ),
  headers: Headers.superRefine((headers, ctx) => {
    const [name, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === SUBPROTOCOLS) ?? [];
    if (name === undefined || value === undefined) return;
    const offered = readSubprotocols(value);
    const issue = (message: string) => ctx.addIssue({ code: 'custom', path: [name], message });
    if (!offered) issue('Enter subprotocols as tokens, separated by commas.');
    else if (offered.length < value.split(/[\s,]+/).filter(Boolean).length) issue('Enter each subprotocol once.');
  }),
  send: z.string().max(10_000).optional(),
  expect: z.string().min(1).max(10_000).optional(),
  ...trustShape,
  saveResponseBody: SaveResponseBody,
  timeoutMs: TimeoutMs,
  connectionTests: ConnectionTests,
  confirm: Confirm,
});
export type WebSocketConfig = z.infer<typeof WebSocketConfig>;

export const websocket = {
  schema: WebSocketConfig,
  form: {
    label: 'WebSocket',
    note: 'Opens, responds',
    upWhen: 'The connection opens within the timeout.',
    advanced: 'Headers, certificate, response, confirmation',
    suggestName: ({ url = '' }) => suggestName(completeAddress(url, 'wss')),
    fields: {
      url: {
        label: 'URL',
        kind: 'url',
        group: 'target',
        scheme: 'wss',
        placeholder: 'wss://live.northwind.example/feed',
      },
      send: { label: 'Send', kind: 'multiline', group: 'expected', width: 'half', optional: true },
      expect: { label: 'Message contains', kind: 'multiline', group: 'expected', width: 'half', optional: true },
      headers: headersField,
      ...trustFields(),
      saveResponseBody: saveResponseBodyField,
      connectionTests: connectionTestsField,
    },
  },
  secrets: { url: 'url', send: 'text', headers: 'headers' },
  target: ({ url }) => withoutScheme(url),
  request: ({ url }) => url,
  endpoints: ({ url }) => [['url', url]],
  limitKey: ({ url }) => new URL(url).hostname,
} satisfies TypeDefinition<WebSocketConfig>;
