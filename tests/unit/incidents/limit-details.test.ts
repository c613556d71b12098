import { expect, it } from 'vitest';
import { limitDetails, limitLastGood } from '@/server/incidents/evidence/to-attempt';

const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null };
const headers = Array.from({ length: 5_000 }, (_, index) => ({ name: `X-${index}`, value: 'a\u0000b'.repeat(400) }));

it('limits and cleans what an agent sends as evidence, like that of a check here', () => {
  const message = { line: `GET /\u001b[31m${'a'.repeat(5_000)}`, headers };
  const body = { text: 'x'.repeat(100_000), notStored: null, bytes: 100_000, isTruncated: false };
  const exchange = { request: message, response: message, body };
  const rules = Array.from({ length: 1_000 }, () => ({ rule: 'r'.repeat(2_000), value: null, isMet: false }));
  const kept = limitDetails({ exchanges: Array.from({ length: 300 }, () => exchange), rules });
  expect(kept.exchanges).toHaveLength(100);
  expect(kept.rules).toHaveLength(500);
  expect(kept.rules[0]?.rule.length).toBeLessThan(600);
  const messages = kept.exchanges.flatMap(({ request, response }) => [request, response]);
  const fields = messages.flatMap((each) => each?.headers ?? []);
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0)).toBeLessThanOrEqual(32 * 1024);
  expect(JSON.stringify(kept)).not.toMatch(/\\u0000|\\u001b/);
  const bodies = kept.exchanges.reduce((sum, each) => sum + (each.body?.text?.length ?? 0), 0);
  expect(bodies).toBeLessThanOrEqual(48 * 1024);
});

it('limits the last good check likewise', () => {
  const addresses = Array.from({ length: 500 }, (_, index) => `192.0.2.${index}`);
  const last = limitLastGood({
    at: '2026-05-01T10:00:00.000Z',
    region: 'private/office',
    latencyMs: 1,
    timings,
    statusCode: 200,
    addresses,
    connections: addresses.map((address) => ({ address, port: 443, error: 'e\u202e' })),
    certificate: null,
    headers,
  });
  expect([last.addresses, last.connections, last.headers].map((list) => list?.length)).toEqual([20, 20, 100]);
  expect(JSON.stringify(last)).not.toMatch(/\u202e|\\u0000/);
});
