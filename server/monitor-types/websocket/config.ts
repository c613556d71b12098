import { z } from 'zod';
import { Confirm, TimeoutMs } from '@/server/monitor-types/config/confirm';
import { Headers } from '@/server/monitor-types/config/headers';
import { SaveResponseBody } from '@/server/monitor-types/config/save-response-body';
import { addressOf } from '@/server/monitor-types/config/url';
import { readSubprotocols, SUBPROTOCOLS } from './subprotocols';

/** Opens a WebSocket; with `expect`, sends `send` and requires a message that contains that text. */
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
  saveResponseBody: SaveResponseBody,
  timeoutMs: TimeoutMs,
  confirm: Confirm,
});
export type WebSocketConfig = z.infer<typeof WebSocketConfig>;
