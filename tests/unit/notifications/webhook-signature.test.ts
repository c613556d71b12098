import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signWebhook } from '@/server/notifications/providers/webhook/signature';

const body = '{"type":"channel.test","data":{"name":"Zürich → 東京"}}';

describe('Standard Webhooks signature', () => {
  it.each([
    { secret: newWebhookSecret(), raw: false },
    { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', raw: false },
    { secret: 'an ordinary passphrase, ünïcode too', raw: true },
  ])('is accepted by the published verifier with $secret', ({ secret, raw }) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const verifier = raw ? new Webhook(Buffer.from(secret, 'utf8'), { format: 'raw' }) : new Webhook(secret);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(secret, 'msg_1', timestamp, body),
    };
    expect(verifier.verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => verifier.verify(body.replace('test', 'tset'), headers)).toThrow();
    expect(() => verifier.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
  });

  it('uses a new secret of 32 bytes for each webhook', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  });
});
