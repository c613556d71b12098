import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NextRequest } from 'next/server';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handleApi } from '@/server/api/handle';
import { shortenTask } from '@/server/api/mcp/shorten';
import { call, httpMonitor, makeKey, type Person, signUp } from '@/tests/support/rest';

const URL_OF = 'http://127.0.0.1:3000/api/mcp';
const READS = [
  'get_incident',
  'get_incident_evidence',
  'get_latency',
  'get_monitor',
  'get_uptime',
  'list_checks',
  'list_incidents',
  'list_maintenance',
  'list_monitors',
  'who_is_on_call',
];
const CHANGES = [
  'acknowledge_incident',
  'add_incident_update',
  'check_monitor',
  'create_incident',
  'create_monitor',
  'resolve_incident',
  'start_maintenance',
];

const send = async (url: string | URL, init?: RequestInit) =>
  handleApi(new NextRequest(new Request(url, init as RequestInit)));

/** An assistant that is connected with a key. */
async function connect(key: string, query = ''): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(URL_OF + query), { requestInit: { headers }, fetch: send }),
  );
  return client;
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();

/** What a tool answers, as JSON. */
async function use(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content as { type: string; text: string }[];
  return { isError: isError ?? false, answer: JSON.parse(first?.text ?? 'null') };
}

let person: Person;
let key: string;
let monitorId: string;
let incidentId: string;

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
  monitorId = (await call(person, 'POST', '/api/v1/monitors', httpMonitor({ tags: ['shop'] }))).monitor.id;
  const body = { title: 'Orders are late', cause: 'x'.repeat(2_500), monitorIds: [monitorId] };
  incidentId = (await call(person, 'POST', '/api/v1/incidents', body)).incident.id;
});

describe('the tools', () => {
  it('change nothing, unless the connection allows changes', async () => {
    const client = await connect(key);
    expect(await namesOf(client)).toEqual(READS);
    await expect(client.callTool({ name: 'resolve_incident', arguments: { id: incidentId } })).rejects.toThrow(
      'There is no tool resolve_incident.',
    );
    expect(await namesOf(await connect(key, '?changes=true'))).toEqual([...READS, ...CHANGES].sort());
  });

  it('are listed if the key may use them', async () => {
    const client = await connect(await makeKey(person, ['incidents:write', 'on-call:read']), '?changes=true');
    const ofIncidents = [...READS, ...CHANGES].filter((name) => /incident/.test(name));
    expect(await namesOf(client)).toEqual([...ofIncidents, 'who_is_on_call'].sort());
  });

  it('describe themselves in a size that an assistant can read', async () => {
    const { tools } = await (await connect(key, '?changes=true')).listTools();
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(inputSchema.type, name).toBe('object');
      expect(description, name).toMatch(/\.$/);
      expect(annotations?.readOnlyHint, name).toBe(READS.includes(name));
    }
    expect(JSON.stringify(tools).length).toBeLessThan(30_000);
  });

  it('all answer', async () => {
    const client = await connect(key);
    const given: Record<string, object> = {
      ...Object.fromEntries(
        ['get_monitor', 'get_uptime', 'get_latency', 'list_checks'].map((name) => [name, { id: monitorId }]),
      ),
      ...Object.fromEntries(['get_incident', 'get_incident_evidence'].map((name) => [name, { id: incidentId }])),
      list_maintenance: { from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:00Z' },
    };
    for (const name of READS)
      expect(await use(client, name, { ...given[name] }), name).toMatchObject({ isError: false });
  });

  it('say what is down, filtered as the API does, without what only a page draws', async () => {
    const client = await connect(key);
    const { answer } = await use(client, 'list_monitors', { tag: 'shop', limit: 5 });
    expect(answer.rows).toMatchObject([{ id: monitorId, name: 'Shop' }]);
    expect(answer.rows[0]).not.toHaveProperty('strip');
    const listed = await use(client, 'list_incidents', { status: 'unresolved', monitorId });
    expect(listed.answer.incidents).toMatchObject([{ id: incidentId, title: 'Orders are late' }]);
  });

  it('cut long texts', async () => {
    const { answer } = await use(await connect(key), 'get_incident', { id: incidentId });
    expect(answer.incident.cause).toBe(`${'x'.repeat(2_000)}… (500 more characters)`);
  });

  it('shorten a long answer in a thread', async () => {
    const body = { title: 'Long', cause: 'y'.repeat(3_000), monitorIds: [monitorId] };
    const { id } = (await call(person, 'POST', '/api/v1/incidents', body)).incident;
    for (let index = 0; index < 12; index += 1) {
      await call(person, 'POST', `/api/v1/incidents/${id}/updates`, { message: `${index} ${'z'.repeat(1_900)}` });
    }
    const run = vi.spyOn(shortenTask, 'run');
    const { isError, answer } = await use(await connect(key), 'get_incident', { id });
    expect([isError, run.mock.calls]).toEqual([false, []]);
    expect(JSON.stringify(answer).length).toBeGreaterThan(20_000);
    expect(answer.incident.cause).toBe(`${'y'.repeat(2_000)}… (1000 more characters)`);
    await call(person, 'POST', `/api/v1/incidents/${id}/resolve`, {});
  });

  it('pass on the errors of the API with their fields', async () => {
    const client = await connect(key, '?changes=true');
    expect(await use(client, 'get_incident', { id: 'nothing' })).toMatchObject({
      isError: true,
      answer: { error: { code: 'NOT_FOUND' } },
    });
    const wrong = await use(client, 'create_monitor', { type: 'http', name: 'Shop', config: {} });
    expect(wrong).toMatchObject({
      isError: true,
      answer: { error: { code: 'VALIDATION_ERROR', issues: [{ path: 'config.url' }] } },
    });
  });

  it('take at most 100 values', async () => {
    const status = Array.from({ length: 101 }, () => 'down');
    expect(await use(await connect(key), 'list_monitors', { status })).toMatchObject({
      isError: true,
      answer: { error: { message: 'A call may have at most 100 values.' } },
    });
  });

  it('change what they say, as the key', async () => {
    const client = await connect(key, '?changes=true');
    const { answer } = await use(client, 'create_monitor', {
      type: 'tcp',
      name: 'Port',
      config: { host: '127.0.0.1', port: 9 },
    });
    expect((await call(person, 'GET', `/api/v1/monitors/${answer.monitor.id}`)).monitor.name).toBe('Port');
    await use(client, 'acknowledge_incident', { id: incidentId });
    await use(client, 'add_incident_update', { id: incidentId, message: 'Looking into it' });
    const { incident, updates } = await call(person, 'GET', `/api/v1/incidents/${incidentId}/detail`);
    expect(incident.status).toBe('acknowledged');
    expect(updates.map(({ message }: { message: string }) => message)).toContain('Looking into it');
  });
});

describe('the credential', () => {
  it('is required before the body is read', async () => {
    for (const authorization of ['', 'Bearer nothing']) {
      const answer = await send(URL_OF, { method: 'POST', headers: { authorization }, body: '{' });
      expect([answer.status, (await answer.json()).error.code]).toEqual([401, 'UNAUTHENTICATED']);
    }
  });

  it('limits what the tools do', async () => {
    const client = await connect(await makeKey(person, ['read']), '?changes=true');
    expect(await use(client, 'resolve_incident', { id: incidentId })).toMatchObject({
      isError: true,
      answer: { error: { code: 'INSUFFICIENT_SCOPE' } },
    });
    const stranger = await connect(await makeKey(await signUp()));
    expect(await use(stranger, 'get_incident', { id: incidentId })).toMatchObject({
      answer: { error: { code: 'NOT_FOUND' } },
    });
  });
});

it.each([
  ['GET', undefined, 405],
  ['DELETE', undefined, 405],
  ['POST', '[]', 400],
  ['POST', '{', 400],
  ['POST', `${'['.repeat(2_000)}`, 400],
  ['POST', '{}', 400],
])('refuses %s with %s', async (method, body, status) => {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  expect((await send(URL_OF, { method, headers, ...(body && { body }) })).status).toBe(status);
});
