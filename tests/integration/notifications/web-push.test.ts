import { createECDH, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '@/server/notifications/messages/message';
import { send } from '@/server/notifications/providers';
import { pushPublicKey } from '@/server/notifications/providers/web-push/keys';
import { newPushBrowser } from '@/tests/support/push-browser';
import { startHttpReceiver } from '@/tests/support/receivers';
import { rest, signUp } from '@/tests/support/rest';

// A push service over loopback, and the browser behind it.

const service = await startHttpReceiver();
const browser = newPushBrowser();

const message: Message = {
  id: '01KACV6T3Q0000000000000000',
  payload: {
    type: 'incident.opened',
    timestamp: '2026-11-20T03:07:13.000Z',
    data: {
      incident: { id: '01KACV6T3Q0000000000000001', type: 'downtime', startedAt: '2026-11-20T03:07:12.000Z' },
      monitor: null,
    },
  },
  tone: 'down',
  headline: 'Pay <b>&now</b> "ü" is down',
  details: ['Since 03:07:12.', 'HTTP 503.'],
  url: 'http://127.0.0.1:3000/incidents/i1',
  acknowledgeUrl: 'http://127.0.0.1:3000/acknowledge/v1.token',
};

const config = () => ({
  endpoint: `${service.url}/push/abc`,
  ...browser.keys,
  serverKey: pushPublicKey(),
  device: 'Firefox on Linux',
});
const options = (timeoutMs = 5_000) => ({ signal: AbortSignal.timeout(timeoutMs), teamId: 't1' });
const push = (changed: Partial<Message> = {}, changedConfig: object = {}, timeoutMs?: number) =>
  send('web_push', { ...message, ...changed }, { ...config(), ...changedConfig }, options(timeoutMs));

/** The notification in a request's body. */
const decrypt = (body: Buffer): Record<string, string> => JSON.parse(browser.decrypt(body));

beforeEach(() => {
  service.requests.length = 0;
  service.respond(() => ({ status: 201 }));
});
afterAll(() => service.close());

const bodyOf = (request: (typeof service.requests)[number] | undefined) => request?.bytes ?? Buffer.alloc(0);

describe('web_push provider', () => {
  it('encrypts the notification for the browser', async () => {
    expect(await push()).toEqual({ ok: true, statusCode: 201 });
    const [request] = service.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/push/abc' });
    expect(request?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      urgency: 'high',
      topic: '01KACV6T3Q0000000000000001',
    });
    expect(decrypt(bodyOf(request))).toEqual({
      title: message.headline,
      body: 'Since 03:07:12.\nHTTP 503.',
      url: message.url,
      acknowledgeUrl: message.acknowledgeUrl,
      tag: '01KACV6T3Q0000000000000001',
    });
  });

  it('signs for the push service with the key that the browser subscribed with', async () => {
    await push();
    const header = service.requests[0]?.headers.authorization ?? '';
    const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(String(header)) ?? [];
    expect(key).toBe(pushPublicKey());
    const [head = '', claims = '', signature = ''] = token.split('.');
    const raw = Buffer.from(key, 'base64url');
    const [x, y] = [raw.subarray(1, 33), raw.subarray(33)].map((part) => part.toString('base64url')) as [
      string,
      string,
    ];
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    const isGenuine = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    expect(isGenuine).toBe(true);
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(aud).toBe(service.url);
    expect(exp - Date.now() / 1000).toBeLessThanOrEqual(86_400);
    expect(sub).toMatch(/^(mailto:|https:)/);
  });

  it('keeps an oversized text within 4,096 bytes, with its links', async () => {
    await push({ headline: '🐢"'.repeat(900), details: ['\\ü'.repeat(9_000)] });
    const body = bodyOf(service.requests[0]);
    expect(body.length).toBeLessThanOrEqual(4_096);
    expect(decrypt(body)).toMatchObject({ url: message.url, acknowledgeUrl: message.acknowledgeUrl });
  });

  it.each([
    // A wrong signature or key, a subscription that ended, and a message that is too large (RFC 8030 §7.3, §5; RFC 8292 §2.4).
    [400, true],
    [401, true],
    [403, true],
    [404, true],
    [410, true],
    [413, true],
    [500, false],
    [503, false],
  ])('treats %i as permanent: %s', async (status, permanent) => {
    service.respond(() => ({ status }));
    expect(await push()).toMatchObject({ ok: false, permanent, statusCode: status });
  });

  it('waits as long as the push service asks', async () => {
    service.respond(() => ({ status: 429, headers: { 'retry-after': '17' } }));
    expect(await push()).toMatchObject({ ok: false, permanent: false, retryAfterSeconds: 17 });
  });

  it('gives up on a push service that does not answer', async () => {
    service.respond(() => 'hang');
    expect(await push({}, {}, 150)).toMatchObject({ ok: false, permanent: false, statusCode: null });
    expect(service.requests).toHaveLength(1);
  });

  it('shows markup in names literally', async () => {
    const name = `<img src=x onerror=alert(1)> &amp; **b** \`y\` {{url}} @everyone "x" C:\\d`;
    await push({ headline: `${name} is down`, details: [name] });
    expect(decrypt(bodyOf(service.requests[0]))).toMatchObject({ title: `${name} is down`, body: name });
  });

  it('says what to do for a subscription with another key', async () => {
    const other = createECDH('prime256v1');
    other.generateKeys();
    const result = await push({}, { serverKey: other.getPublicKey('base64url') });
    expect(result).toMatchObject({ ok: false, permanent: true, error: expect.stringContaining('Use this browser') });
    expect(service.requests).toEqual([]);
  });

  it('is created with the key that the API returns, and masks its secret', async () => {
    const person = await signUp();
    const { publicKey } = (await rest('GET', '/dashboard/push-key', { token: person.token })).body;
    expect(publicKey).toBe(pushPublicKey());
    const body = { type: 'web_push', name: 'My laptop', config: { ...config(), serverKey: publicKey } };
    const made = await rest('POST', '/dashboard/notification-channels', { token: person.token, body });
    expect(made.status).toBe(201);
    expect(made.body.channel.config.auth).toBe(`••••${config().auth.slice(-4)}`);
    const wrong = { ...body, config: { ...config(), p256dh: 'x' } };
    const refused = await rest('POST', '/dashboard/notification-channels', { token: person.token, body: wrong });
    expect(refused.body.error.issues).toMatchObject([{ path: 'config.p256dh' }]);
  });
});

describe('without ALLOW_PRIVATE_TARGETS', async () => {
  vi.resetModules();
  vi.stubEnv('ALLOW_PRIVATE_TARGETS', 'false');
  const guarded = await import('@/server/notifications/providers');
  vi.unstubAllEnvs();

  it('sends nothing to a push service at a private address', async () => {
    const result = await guarded.send('web_push', message, config(), options());
    expect(result).toMatchObject({ ok: false, permanent: true, statusCode: null });
    expect(service.requests).toHaveLength(0);
  });
});
