import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handleRest } from '@/server/api/rest/handle';
import { handleTrpc } from '@/server/api/trpc-handler';
import { newId } from '@/server/platform/ids';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { expectError } from './expect-error';

let person: Person;
let key: string;

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
});

async function createOne(): Promise<string> {
  const { body } = await rest('POST', '/api/v1/monitors', { token: key, body: httpMonitor() });
  return body.monitor.id;
}

describe('request bodies', () => {
  const post = (call: Parameters<typeof rest>[2]) => rest('POST', '/api/v1/monitors', { token: key, ...call });
  const json = { 'content-type': 'application/json' };

  it('need no content type if empty', async () => {
    const id = await createOne();
    expect(await rest('DELETE', `/api/v1/monitors/${id}`, { token: key })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    expectError(await post({}), 400, 'VALIDATION_ERROR');
  });

  it.each(['{"type":', 'null', '[]', '"text"', '1'])('rejects a body that is no object: %s', async (raw) => {
    expectError(await post({ raw, headers: json }), 400, 'VALIDATION_ERROR');
  });

  it('rejects a body that is not UTF-8', async () => {
    expectError(await post({ raw: new Uint8Array([0x7b, 0xff, 0x7d]), headers: json }), 400, 'VALIDATION_ERROR');
  });

  it.each(['name \u0000', 'name \ud800'])(
    'are rejected if they hold text that the database cannot store',
    async (name) => {
      expectError(await post({ body: httpMonitor({ name }) }), 400, 'VALIDATION_ERROR');
      expectError(await rest('GET', `/api/v1/monitors/%00`, { token: key }), 400, 'VALIDATION_ERROR');
    },
  );

  it('rejects a deeply nested body without a crash', async () => {
    const raw = `{"type":"http","config":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expectError(await post({ raw, headers: json }), 400, 'VALIDATION_ERROR');
  });

  it.each([
    ['numbers', `[${'1,'.repeat(400_000)}1]`],
    ['empty objects', `[${'{},'.repeat(200_000)}{}]`],
    ['fields', `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
  ])('rejects a body with 10,000 %s before parsing it', async (_kind, values) => {
    const parse = vi.spyOn(JSON, 'parse');
    const { status } = await post({ raw: `{"type":"http","config":${values}}`, headers: json });
    const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(status).toBe(400);
    expect(longest).toBeLessThan(100_000);
  });

  it('rejects an object with more than 500 fields, at any depth, and accepts as many in several', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":"€"`).join(',');
    const config = (headers: string) => `{"type":"http","config":{"url":"http://a.test","headers":{${headers}}}}`;
    const messageOf = async (raw: string) => (await post({ raw, headers: json })).body.error.message;
    expect(await messageOf(config(fields(501)))).toContain('at most 500 fields');
    expect(await messageOf(`{${fields(501)}}`)).toContain('at most 500 fields');
    expect(await messageOf(config(fields(500)))).not.toContain('at most 500 fields');
    expect(await messageOf(`[{${fields(300)}},{${fields(300)}}]`)).not.toContain('at most 500 fields');
  });

  it('may have any number of brackets and commas in texts', async () => {
    const raw = JSON.stringify({ ...httpMonitor(), tags: ['a', 'b'], name: '[{,"'.repeat(25) });
    expect((await post({ raw, headers: json })).status).toBe(201);
  });

  it('rejects a body over 64 KiB without a credential', async () => {
    const raw = JSON.stringify({ email: 'robin@example.test', password: 'a'.repeat(64 * 1024) });
    expectError(await rest('POST', '/auth/login', { raw, headers: json }), 413, 'PAYLOAD_TOO_LARGE');
    const url = 'http://127.0.0.1:3000/api/trpc/auth.logIn';
    expect((await handleTrpc(new Request(url, { method: 'POST', headers: json, body: raw }))).status).toBe(413);
    const many = `{"email":[${'1,'.repeat(20_000)}1]}`;
    expect((await handleTrpc(new Request(url, { method: 'POST', headers: json, body: many }))).status).toBe(400);
  });

  it('rejects a body with another content type', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expectError(await post({ raw: 'type=http', headers: form }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectError(
      await post({ raw: JSON.stringify(httpMonitor()), headers: { 'content-type': 'text/plain' } }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
  });

  it.each([
    'application/json; charset=latin1',
    'application/json; charset=UTF-16',
    'json',
    'application/json, text/plain',
  ])('rejects an invalid body: %s', async (type) => {
    const raw = JSON.stringify(httpMonitor());
    expectError(await post({ raw, headers: { 'content-type': type } }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('rejects a compressed body with an explanation', async () => {
    const raw = gzipSync(JSON.stringify(httpMonitor()));
    const coded = await post({ raw, headers: { ...json, 'content-encoding': 'gzip' } });
    expectError(coded, 415, 'UNSUPPORTED_MEDIA_TYPE');
    const plain = { raw: JSON.stringify(httpMonitor()), headers: { ...json, 'content-encoding': 'identity' } };
    expect((await post(plain)).status).toBe(201);
  });

  it.each([
    'limit=01',
    'limit=1e1',
    'limit=+1',
    'limit=',
    'limit=0x1',
    'limit=%201',
    'limit=1&x=%zz',
    'x=%ff',
    'cursor=%E0%A4',
  ])('builds no body from the query string %s', async (query) => {
    expectError(await rest('GET', `/api/v1/monitors?${query}`, { token: key }), 400, 'VALIDATION_ERROR');
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/merge-patch+json'])(
    'are accepted: %s',
    async (type) => {
      const raw = JSON.stringify(httpMonitor());
      expect((await post({ raw, headers: { 'content-type': type } })).status).toBe(201);
    },
  );

  it('may start with a byte order mark', async () => {
    const raw = `\ufeff${JSON.stringify(httpMonitor({ name: 'Marked' }))}`;
    expect((await post({ raw, headers: json })).body.monitor.name).toBe('Marked');
    expectError(await post({ raw: '\ufeff', headers: json }), 400, 'VALIDATION_ERROR');
  });

  it('rejects a body of more than 100 levels, with an idempotency key too', async () => {
    const nested = (levels: number) => `{"name":"[[","config":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    for (const levels of [99, 100, 100_000]) {
      const answer = await post({ raw: nested(levels), headers: { ...json, 'idempotency-key': `deep ${levels}` } });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(JSON.stringify(answer.body).includes('at most 100 levels')).toBe(levels > 99);
    }
  });

  it('rejects a body that repeats a name, at any depth', async () => {
    const text = JSON.stringify(httpMonitor());
    for (const [raw, path] of [
      [text.replace('{', '{"name":"Other",'), 'name'],
      [text.replace('"config":{', '"config":{"url":"http://127.0.0.1:8/",'), 'config.url'],
      [text.replace('{', '{"na\\u006de":"Other",'), 'name'],
      [text.replace('{', '{"unknown":1,"unknown":2,'), 'unknown'],
    ]) {
      const answer = await post({ raw: raw ?? '', headers: json });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.issues[0].path).toBe(path);
    }
  });

  it('may repeat the ID of the path, and are rejected with another', async () => {
    const { monitor } = (await post({ body: httpMonitor() })).body;
    const path = `/api/v1/monitors/${monitor.id}`;
    for (const id of [newId(), '', null, 7, [monitor.id]]) {
      const answer = await rest('PUT', path, { token: key, body: { name: 'Shop 2', id } });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.issues[0].path).toBe('id');
    }
    expectError(await rest('GET', `${path}/uptime?id=${newId()}`, { token: key }), 400, 'VALIDATION_ERROR');
    // A script that reads a monitor, changes a field and sends everything back.
    const { body } = await rest('PUT', path, { token: key, body: { ...monitor, name: 'Shop 3' } });
    expect(body.monitor).toMatchObject({ id: monitor.id, name: 'Shop 3', isActive: 1 });
  });

  it('rejects a body over 1 MiB, with or without a content length', async () => {
    const raw = JSON.stringify(httpMonitor({ name: 'x'.repeat(1024 * 1024) }));
    expectError(await post({ raw, headers: json }), 413, 'PAYLOAD_TOO_LARGE');
    expectError(
      await post({ raw, headers: { ...json, 'content-length': String(raw.length) } }),
      413,
      'PAYLOAD_TOO_LARGE',
    );
  });

  it('counts no server error if the client disconnects during its body', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
    const request = new Request('http://127.0.0.1:3000/api/v1/monitors', {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${key}` },
      body,
      duplex: 'half',
    } as RequestInit);
    expect((await handleRest(request)).status).toBe(400);
  });
});
