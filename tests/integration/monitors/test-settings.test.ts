import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CheckAttempt } from '@/server/incidents/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { call, httpMonitor, join, type Person, rest, signUp } from '@/tests/support/rest';

let target: HttpReceiver;
let person: Person;

beforeAll(async () => {
  target = await startHttpReceiver();
  target.respond(({ headers }) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'ok', echo: headers.authorization ?? null }),
  }));
  person = await signUp('Robin');
});
afterAll(() => target.close());

const send = (body: object, token = person.token) => rest('POST', '/api/v1/monitors/test', { token, body });
const attemptOf = async (body: object): Promise<CheckAttempt> =>
  (await call(person, 'POST', '/api/v1/monitors/test', body)).attempt;
const assertions = [
  { source: 'json', property: '$.status', operator: 'equals', value: 'ok' },
  { source: 'json', property: '$.queue', operator: 'lessThan', value: 5 },
];

it('shows phases, response and every rule of settings that are not saved, and stores nothing', async () => {
  const count = async () => [await db.monitor.count(), await db.incident.count(), await db.auditEntry.count()];
  const before = await count();
  const attempt = await attemptOf({ type: 'http', config: { url: `${target.url}/health`, assertions } });
  expect(attempt).toMatchObject({ status: 'down', statusCode: 200, latencyMs: expect.any(Number) });
  expect(attempt.rules.map(({ isMet }) => isMet)).toEqual([true, true, false]);
  expect(attempt.timings.firstByteMs).toEqual(expect.any(Number));
  expect(attempt.exchanges.at(-1)?.request?.line).toBe('GET /health HTTP/1.1');
  expect(attempt.exchanges.at(-1)?.body?.text).toBe('{"status":"ok","echo":null}');
  expect(await count()).toEqual(before);
});

it('sends a stored credential to its own server only, and does not show it', async () => {
  const config = { url: target.url, auth: { kind: 'bearer', token: 'a-token-of-the-shop' }, saveResponseBody: true };
  const { monitor } = await call(person, 'POST', '/api/v1/monitors', httpMonitor({ config }));
  const { id } = monitor;
  expect(monitor.config.auth.token).not.toContain('shop-');
  const attempt = await attemptOf({ type: 'http', id, config: monitor.config });
  expect(attempt.status).toBe('up');
  expect(target.requests.at(-1)?.headers.authorization).toBe('Bearer a-token-of-the-shop');
  expect(JSON.stringify(attempt)).not.toContain('a-token-of-the-shop');
  expect(attempt.exchanges.at(-1)?.body?.text).toContain('••••');
  const elsewhere = { type: 'http', id, config: { ...monitor.config, url: 'http://127.0.0.1:9/' } };
  const answers = [await send(elsewhere), await send({ type: 'http', config: monitor.config })];
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
});

it('rejects heartbeats, invalid settings, monitors of other teams and viewers', async () => {
  const outsider = await signUp();
  const { monitor } = await call(outsider, 'POST', '/api/v1/monitors', httpMonitor());
  const viewer = await join(person, 'viewer');
  const http = { type: 'http', config: { url: target.url } };
  expect((await send({ type: 'heartbeat', config: {} })).status).toBe(400);
  expect((await send({ type: 'http', config: { url: 'nonsense' } })).status).toBe(400);
  expect((await send({ ...http, id: monitor.id })).status).toBe(404);
  expect((await send({ ...http, id: newId() })).status).toBe(404);
  expect((await send(http, viewer.token)).status).toBe(403);
  expect((await send(http)).status).toBe(200);
});
