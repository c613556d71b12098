import { beforeAll, describe, expect, it } from 'vitest';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
let key: string;

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
});

const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  rest(method, path, { token: key, ...(body && { body }), headers });

describe('preconditions of changes', () => {
  it.each(['if-match', 'if-unmodified-since', 'if-none-match'])('refuses %s and changes nothing', async (header) => {
    const { monitor } = (
      await call('POST', '/api/v1/monitors', { type: 'http', name: 'Shop', config: { url: 'https://shop.example' } })
    ).body;
    const path = `/api/v1/monitors/${monitor.id}`;
    const { status, body } = await call('PUT', path, { name: 'Other' }, { [header]: '"1"' });
    expect([status, body.error.code, body.error.issues[0].path]).toEqual([400, 'VALIDATION_ERROR', header]);
    expect(body.error.issues[0].message).toContain('ifUpdatedAt');
    expect((await call('DELETE', path, undefined, { [header]: '"1"' })).status).toBe(400);
    expect((await call('GET', path, undefined, { 'if-none-match': '"1"' })).body.monitor.name).toBe('Shop');
  });
});

describe('an update of a status page without fields', () => {
  it('changes nothing', async () => {
    const { statusPage } = (
      await call('POST', '/api/v1/status-pages', { slug: `empty-${Date.now()}`, title: 'Status' })
    ).body;
    const path = `/dashboard/status-pages/${statusPage.id}`;
    const { status, body } = await rest('PUT', path, { token: person.token, body: {} });
    expect([status, body]).toEqual([200, { statusPage }]);
  });
});

describe('a key of the team', () => {
  it.each([
    ['POST', '/api/v1/me/contact-methods', { type: 'email', name: 'Mail', config: { to: 'a@example.test' } }],
    ['POST', '/api/v1/me/calendar-feeds', { kind: 'maintenance' }],
    ['PATCH', '/api/v1/me/weekly-summary', { isActive: true }],
    ['PATCH', '/api/v1/me/monthly-report', { isActive: true }],
  ])('neither reads nor changes what belongs to the person who created it: %s %s', async (method, path, body) => {
    const changed = await call(method, path, body);
    expect([changed.status, changed.body.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect((await call('GET', path)).body.error.code).toBe('FORBIDDEN');
    expect((await rest('GET', path, { token: person.token })).status).toBe(200);
  });
});

describe('a key that may only read', () => {
  it('reads a delivery with its exchanges', async () => {
    const reading = await makeKey(person, ['read']);
    const config = { url: 'http://127.0.0.1:9/' };
    const { channel } = (await call('POST', '/api/v1/channels', { type: 'webhook', name: 'Hook', config })).body;
    const { delivery } = (await call('POST', `/api/v1/channels/${channel.id}/test`)).body;
    const read = await rest('GET', `/api/v1/channels/${channel.id}/deliveries/${delivery.id}`, { token: reading });
    expect([read.status, read.body.delivery?.id]).toEqual([200, delivery.id]);
  });
});
