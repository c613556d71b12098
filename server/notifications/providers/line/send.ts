import { createHash } from 'node:crypto';
import { z } from 'zod';
import { env } from '@/server/platform/env';
import { failureForm, REJECTED } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { shorten } from '../shorten';
import type { LineConfig } from './definition';

const NAMESPACE = Buffer.from('8f4b9a52d6c04f0f9c3b5b8a3de1a7c4', 'hex');
const CONFLICT = 409;

const Detail = z.looseObject({ message: z.string().optional(), property: z.string().optional() });
const Failure = z.looseObject({ message: z.string(), details: z.array(Detail).default([]) });

const failure = failureForm({
  schema: Failure,
  text: ({ message, details }) =>
    [message, ...details.map((each) => [each.property, each.message].filter(Boolean).join(': '))].join(' '),
  permanent: REJECTED,
});

/** Returns a name-based UUID (RFC 9562 §5.5), because LINE's retry key has to be the same on every attempt. */
export function toUuid(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name, 'utf8').digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Sends a push message through the LINE Messaging API. The retry key makes LINE drop duplicates: 409 means that an earlier attempt with this key was
 * accepted. A text may have 5,000 characters.
 */
export const line: Provider<LineConfig> = {
  send({ id, headline, details, url, acknowledgeUrl }, { channelAccessToken, to }, options) {
    const acknowledge = acknowledgeUrl === undefined ? [] : [`Acknowledge: ${acknowledgeUrl}`];
    const text = [shorten([headline, ...details].join('\n'), 4000), ...acknowledge, url].join('\n');
    const headers = { authorization: `Bearer ${channelAccessToken}`, 'x-line-retry-key': toUuid(id) };
    const request = {
      url: `${env.lineApiBaseUrl}/v2/bot/message/push`,
      trusted: true,
      headers,
      body: JSON.stringify({ to, messages: [{ type: 'text', text }] }),
      receiver: 'LINE',
      alsoAccepted: [CONFLICT],
      ...failure,
    };
    return post(request, options);
  },
};
