import '@/tests/support/providers/with-providers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { evidenceKey } from '@/server/incidents/evidence/evidence-key';
import { insertAttempts } from '@/server/incidents/evidence/queries';
import { deleteUnusedEvidence, storeEvidence } from '@/server/incidents/evidence/store-evidence';
import type { VerdictEvidence } from '@/server/incidents/schema';
import { sealConfig } from '@/server/monitor-types/config/config-secrets';
import { HttpConfig } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { notifySchedule, stopListening } from '@/server/platform/listen';
import { storage } from '@/server/platform/storage';
import { s3Line } from '@/tests/support/providers/with-providers';
import { until } from '@/tests/support/receivers';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { makeDue, makeMonitor, makeRegionDue, readRegion, readState } from './monitors';
import { closedPort, httpTarget, type Target } from './targets';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const well: Answer = (_request, response) => response.setHeader('server', 'good').end('fine');
const failing: Answer = (_request, response) => response.writeHead(503, { server: 'bad' }).end('{"db":"away"}');

let person: Person;
let key: string;
let target: Target;
let answer: Answer = well;
const running: Scheduler[] = [];

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
  target = await httpTarget((request, response) => answer(request, response));
});

beforeEach(() => {
  answer = well;
});

afterEach(async () => {
  s3Line.set('up');
  await Promise.all(running.splice(0).map((each) => each.stop(500)));
  await db.monitor.deleteMany();
});

afterAll(async () => {
  await stopListening();
  await target.close();
});

function start(...regions: string[]): void {
  for (const region of regions) {
    const scheduler = new Scheduler({ worker: newId(), region, concurrency: 10 });
    running.push(scheduler);
    scheduler.start();
  }
}

const becomes = (id: string, status: string) =>
  until(async () => (await readState(id)).status === status, 10_000, `The monitor being ${status}`);

/** A monitor that is up, and gets another response from then on. */
async function make(config: Record<string, unknown> = {}, regions: string[] = []) {
  const url = `http://127.0.0.1:${target.port}/health?token=abcd1234`;
  const sealed = sealConfig({
    type: 'http',
    config: HttpConfig.parse({
      url,
      saveResponseBody: true,
      confirm: { failures: 2, retryDelayMs: 100, recoveries: 2 },
      ...config,
    }),
  });
  const monitor = await makeMonitor(person.teamId, { url, regions });
  await db.monitor.update({ where: { id: monitor.id }, data: { config: sealed as object } });
  start(...(regions.length > 0 ? regions : ['test']));
  await becomes(monitor.id, 'up');
  return monitor;
}

async function checkAgain(id: string): Promise<void> {
  await makeDue(id);
  await notifySchedule(db);
}

const incidentOf = (monitorId: string) =>
  db.incident.findFirstOrThrow({ where: { monitorId }, orderBy: { id: 'desc' } });

async function read(incidentId: string): Promise<VerdictEvidence[]> {
  const { status, body } = await rest('GET', `/api/v1/incidents/${incidentId}/evidence`, { token: key });
  expect([status, body]).toEqual([200, { evidence: expect.any(Array) }]);
  return body.evidence;
}

async function goDown(id: string, how: Answer = failing) {
  answer = how;
  await checkAgain(id);
  await becomes(id, 'down');
  return incidentOf(id);
}

describe('evidence of an incident', () => {
  it('holds every check that was counted, with what it saw, from the database as from the object storage', async () => {
    const { id } = await make({
      assertions: [{ source: 'header', property: 'server', operator: 'equals', value: 'good' }],
    });
    const incident = await goDown(id);
    const [opened, ...none] = await read(incident.id);
    expect(none).toEqual([]);
    expect(opened).toMatchObject({ kind: 'opened', lastGood: { region: 'test', statusCode: 200 } });
    expect(opened?.attempts).toHaveLength(2);
    for (const attempt of opened?.attempts ?? []) {
      expect(attempt).toMatchObject({
        region: 'test',
        status: 'down',
        error: 'Expected status 200-299, got 503',
        statusCode: 503,
        timings: { connectMs: expect.any(Number), tlsMs: null, firstByteMs: expect.any(Number) },
        addresses: ['127.0.0.1'],
        connections: [{ address: '127.0.0.1', port: target.port, error: null }],
        certificate: null,
        rules: [
          { rule: 'status 200-299', value: '503', isMet: false },
          { rule: 'header server equals "good"', value: '"bad"', isMet: false },
        ],
      });
      const [exchange] = attempt.exchanges;
      expect(exchange).toMatchObject({
        request: { line: 'GET /health?•••• HTTP/1.1' },
        response: { line: 'HTTP/1.1 503 Service Unavailable' },
        body: { text: '{"db":"away"}', bytes: 13, isTruncated: false },
      });
      expect(exchange?.response?.headers).toContainEqual({ name: 'server', value: 'bad' });
    }
    expect(opened?.changes).toContainEqual({ subject: 'statusCode', name: null, before: '200', after: '503' });
    expect(opened?.changes).toContainEqual({ subject: 'header', name: 'server', before: 'good', after: 'bad' });

    answer = well;
    await checkAgain(id);
    await becomes(id, 'up');
    const both = await read(incident.id);
    expect(both.map(({ kind, attempts }) => [kind, attempts.map(({ status }) => status)])).toEqual([
      ['opened', ['down', 'down']],
      ['resolved', ['up', 'up']],
    ]);
    expect(both[1]).toMatchObject({ lastGood: null, changes: [] });

    await runJob(storeEvidence, {});
    expect(await db.checkAttempt.count({ where: { monitorId: id } })).toBe(0);
    const [row] = await db.incidentEvidence.findMany({ where: { incidentId: incident.id }, orderBy: { id: 'asc' } });
    const stored = await storage.get(evidenceKey(person.teamId, row ?? { id: '', incidentId: '' }));
    expect(JSON.parse(Buffer.from(stored?.bytes ?? []).toString())).toEqual(both[0]);
    expect(await read(incident.id)).toEqual(both);
  });

  it('names the refused connection, and the last good check where nothing answered', async () => {
    const { id, config } = await make();
    const port = await closedPort();
    const confirm = { failures: 2, recoveries: 2, retryDelayMs: 100 };
    const sealed = { ...(config as object), confirm, url: `http://127.0.0.1:${port}/` };
    await db.monitor.update({ where: { id }, data: { config: sealed, version: { increment: 1 } } });
    await checkAgain(id);
    await becomes(id, 'down');
    const [opened] = await read((await incidentOf(id)).id);
    expect(opened?.attempts[0]).toMatchObject({
      error: 'Connection refused',
      connections: [{ address: '127.0.0.1', port, error: 'ECONNREFUSED' }],
      exchanges: [],
      rules: [],
    });
    // Another version was checked: only its results are known.
    expect(opened?.lastGood).toMatchObject({ statusCode: 200, addresses: [], headers: null });
    expect(opened?.changes).toEqual([{ subject: 'statusCode', name: null, before: '200', after: null }]);
  });

  it('holds the checks of each region that says so', async () => {
    const confirm = { failures: 3, recoveries: 2, retryDelayMs: 100 };
    const { id } = await make({ confirm }, ['ap', 'eu', 'us']);
    for (const region of ['ap', 'eu', 'us']) await until(async () => (await readRegion(id, region)).status === 'up');
    answer = failing;
    for (const region of ['eu', 'us']) {
      await makeRegionDue(id, region);
      await notifySchedule(db);
      await until(async () => (await readRegion(id, region)).status === 'down');
    }
    await becomes(id, 'down');
    const [opened] = await read((await incidentOf(id)).id);
    const counted = opened?.attempts.map(({ region, status }) => `${region} ${status}`) ?? [];
    expect(counted.filter((each) => each === 'eu down')).toHaveLength(2);
    expect(counted.filter((each) => each === 'us down')).toHaveLength(2);
    expect(opened?.attempts.map(({ at }) => at)).toEqual(opened?.attempts.map(({ at }) => at).toSorted());

    // Nothing changes for the region, but a downtime that was resolved manually is notified again.
    const { id: first } = await incidentOf(id);
    await rest('POST', `/api/v1/incidents/${first}/resolve`, { token: key });
    await makeRegionDue(id, 'eu');
    await notifySchedule(db);
    await until(async () => (await incidentOf(id)).id !== first, 10_000, 'Another incident');
    const [again] = await read((await incidentOf(id)).id);
    expect(again?.attempts).toMatchObject([{ region: 'eu', rules: [{ rule: 'status 200-299', value: '503' }] }]);
    expect(again?.changes).toContainEqual({ subject: 'statusCode', name: null, before: '200', after: '503' });
  });

  it('leaves out a check that failed once and then passed, and forgets it', async () => {
    const { id } = await make({ confirm: { failures: 2, retryDelayMs: 300 } });
    answer = failing;
    await checkAgain(id);
    await until(async () => (await readState(id)).failures > 0);
    answer = well;
    await until(async () => (await readState(id)).turnedAt === null);
    const blip = await db.checkAttempt.findFirstOrThrow({ where: { monitorId: id } });
    const incident = await goDown(id);
    const [opened] = await read(incident.id);
    expect(opened?.attempts).toHaveLength(2);
    expect(opened?.attempts.map(({ at }) => at)).not.toContain(blip.at.toISOString());
    expect(await db.checkAttempt.count({ where: { monitorId: id, evidenceId: null } })).toBe(0);
  });

  it('keeps the headers of the last answer rather than those of the redirects before it', async () => {
    const { id } = await make({ confirm: { failures: 1 }, maxRedirects: 20 });
    const long = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`x-long-${index}`, 'h'.repeat(1_000)]));
    const incident = await goDown(id, ({ url }, response) => {
      const count = Number(url?.split('/')[2] ?? 0);
      response
        .writeHead(count === 20 ? 503 : 302, { location: `/after/${count + 1}`, ...long })
        .end('b'.repeat(20_000));
    });
    const rows = await db.checkAttempt.findMany({ where: { monitorId: id } });
    expect(rows).toHaveLength(1);
    // The lines of all, 32 KiB of headers, and a body.
    expect(rows[0]?.content.length).toBeLessThan(64_000);
    const { exchanges = [] } = (await read(incident.id))[0]?.attempts[0] ?? {};
    expect(exchanges).toHaveLength(21);
    expect(exchanges[0]?.response?.line).toBe('HTTP/1.1 302 Found');
    expect(exchanges.at(-1)?.response?.headers.filter(({ name }) => name in long)).toHaveLength(12);
  });

  it('keeps the last checks of each row that wait for a verdict', async () => {
    const { id } = await make();
    const old = { monitorId: id, status: 'down' as const, content: Buffer.from('{}') };
    const rows = ['', 'eu'].flatMap((row) =>
      Array.from({ length: 50 }, (_, index) => ({ ...old, row, id: `${row} ${index}`, at: new Date(index * 1_000) })),
    );
    const last = { ...old, row: 'eu', id: 'last', at: new Date(60_000) };
    await db.checkAttempt.createMany({ data: rows });
    await db.$transaction((tx) => insertAttempts(tx, [last]));
    const kept = await db.checkAttempt.findMany({ where: { monitorId: id, row: 'eu' }, orderBy: { at: 'asc' } });
    expect(kept).toHaveLength(40);
    expect(kept.map((each) => each.id)).toEqual([...rows.slice(-39).map((each) => each.id), 'last']);
  });

  it('deletes what no verdict counts after a while, and keeps nothing of passing checks', async () => {
    const { id } = await make();
    await checkAgain(id);
    expect(await db.checkAttempt.count({ where: { monitorId: id } })).toBe(0);
    const old = { monitorId: id, row: '', status: 'down' as const, content: Buffer.from('{}') };
    const at = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await db.checkAttempt.createMany({
      data: [
        { ...old, id: 'kept', at: at(2.5) },
        { ...old, id: 'deleted', at: at(3.5) },
        { ...old, id: 'of a deleted monitor', monitorId: 'gone', at: at(1.5) },
      ],
    });
    await runJob(storeEvidence, {});
    expect(await db.checkAttempt.findMany({ select: { id: true } })).toEqual([{ id: 'kept' }]);
    await db.checkAttempt.deleteMany();
  });

  it('records when a ping was due, and the body of one that failed', async () => {
    const { body } = await rest('POST', '/api/v1/monitors', {
      token: key,
      body: { type: 'heartbeat', name: 'Nightly', config: {}, intervalSeconds: 60, severity: 'minor' },
    });
    const path = new URL(body.monitor.config.pingUrl).pathname;
    const { heartbeat } = await import('@/server/api/heartbeat');
    const ping = (to: string, sent?: string) =>
      heartbeat(new Request(`http://127.0.0.1:3000${to}`, { method: 'POST', ...(sent && { body: sent }) }));
    await ping(path);
    await ping(`${path}/fail`, 'disk full');
    const incident = await incidentOf(body.monitor.id);
    expect(incident.severity).toBe('minor');
    const [opened] = await read(incident.id);
    expect(opened?.attempts).toMatchObject([
      {
        status: 'down',
        exchanges: [{ request: { line: 'ping: fail' }, response: null, body: { text: 'disk full', bytes: 9 } }],
        rules: [{ rule: expect.stringMatching(/^ping by 20.* UTC$/), isMet: false }],
      },
    ]);
  });
});

describe('a target that sends secrets back', () => {
  const secrets = {
    password: 'hunter2&<"büro"',
    header: 'k-0123456789',
    query: 'abcd1234',
    leaf: 'inner-secret!',
  };

  it('finds none of them in evidence, in whichever form', async () => {
    const auth = { kind: 'basic', username: 'robin', password: secrets.password };
    const monitor = await make({
      method: 'POST',
      auth,
      headers: { 'X-Api-Key': secrets.header, Cookie: `sid=${secrets.header}` },
      body: JSON.stringify({ login: { token: secrets.leaf } }),
      assertions: [{ source: 'body', operator: 'equals', value: 'fine' }],
    });
    const all = Object.values(secrets);
    const incident = await goDown(monitor.id, async (request, response) => {
      const body = await text(request);
      const sent = `${body} ${request.url} ${JSON.stringify(request.headers)} ${all.join(' ')}`;
      const forms = [
        sent,
        encodeURIComponent(sent),
        Buffer.from(sent).toString('base64'),
        Buffer.from(sent).toString('hex'),
      ];
      response
        .writeHead(500, {
          authorization: String(request.headers.authorization),
          'set-cookie': [`sid=${secrets.header}; Path=/`, 'own=session'],
          location: `https://elsewhere.test/?back=${encodeURIComponent(secrets.query)}`,
          'x-echo': encodeURIComponent(all.join(' ')),
          'x-echo-64': Buffer.from(all.join(' ')).toString('base64'),
          'www-authenticate': 'Basic realm="shop"',
        })
        .end(`${forms.join('\n')}\n${'x'.repeat(20_000)}`);
    });
    const evidence = JSON.stringify(await read(incident.id));
    const basic = Buffer.from(`robin:${secrets.password}`).toString('base64');
    for (const secret of [...all, basic]) {
      const hex = Buffer.from(secret).toString('hex');
      const core = Buffer.from(secret).toString('base64').slice(0, -4);
      const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), hex, core];
      for (const form of forms) expect(evidence).not.toContain(form);
    }
    // Whatever is base64 there decodes to no secret either.
    for (const [run] of evidence.matchAll(/[A-Za-z0-9+/]{12,}/g)) {
      for (const offset of [0, 1, 2, 3]) {
        const decoded = Buffer.from(run.slice(offset), 'base64').toString('utf8');
        for (const secret of all) expect(decoded).not.toContain(secret);
      }
    }
    const [exchange] = (await read(incident.id))[0]?.attempts[0]?.exchanges ?? [];
    expect(exchange?.body).toMatchObject({ isTruncated: true });
    expect(exchange?.body?.text?.length).toBeLessThanOrEqual(16 * 1024);
    const headers = Object.fromEntries(exchange?.response?.headers.map(({ name, value }) => [name, value]) ?? []);
    expect(headers).toMatchObject({
      authorization: '••••',
      'set-cookie': '••••',
      location: 'https://elsewhere.test/?••••',
      'www-authenticate': 'Basic realm="shop"',
    });
    const sent = Object.fromEntries(exchange?.request?.headers.map(({ name, value }) => [name, value]) ?? []);
    expect(sent).toMatchObject({
      'user-agent': 'Upwatch/1.0',
      authorization: '••••',
      'x-api-key': '••••',
      cookie: '••••',
    });
  });

  it.each<[string, Record<string, string>, Buffer]>([
    ['a body in UTF-16 that says it is UTF-8', {}, Buffer.from(secrets.password, 'utf16le')],
    ['an image', { 'content-type': 'image/png' }, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 255])],
  ])('keeps only the size of %s', async (_what, headers, sent) => {
    const auth = { kind: 'basic', username: 'robin', password: secrets.password };
    const { id } = await make({ auth, confirm: { failures: 1 } });
    const incident = await goDown(id, (_request, response) => response.writeHead(500, headers).end(sent));
    const [opened] = await read(incident.id);
    const size = { bytes: sent.length, isTruncated: false };
    expect(opened?.attempts[0]?.exchanges[0]?.body).toEqual({ text: null, notStored: 'not_text', ...size });
  });

  it('masks them in a compressed body', async () => {
    const auth = { kind: 'bearer', token: secrets.header };
    const { id } = await make({ auth, confirm: { failures: 1 } });
    const sent = gzipSync(`The token ${secrets.header} has expired.`);
    const incident = await goDown(id, (_request, response) =>
      response.writeHead(500, { 'content-encoding': 'gzip' }).end(sent),
    );
    const [opened] = await read(incident.id);
    expect(opened?.attempts[0]?.exchanges[0]?.body?.text).toBe('The token •••• has expired.');
  });

  it('quotes none of them in the cause of an incident, nor in lists of monitors and checks', async () => {
    const auth = { kind: 'bearer', token: secrets.header };
    const assertions = [{ source: 'body', operator: 'equals', value: 'fine' }];
    const { id } = await make({ auth, assertions, confirm: { failures: 1 } });
    const incident = await goDown(id, (request, response) =>
      response.end(`${request.headers.authorization} ${Buffer.from(secrets.header).toString('hex')}`),
    );
    const cause = 'Expected body to be "fine", got "•••• ••••"';
    expect(incident.cause).toBe(cause);
    expect(await readState(id)).toMatchObject({ lastError: cause });
    for (const path of ['/api/v1/monitors', `/api/v1/monitors/${id}/checks`, `/api/v1/incidents/${incident.id}`]) {
      expect(JSON.stringify((await rest('GET', path, { token: key })).body)).not.toContain(secrets.header);
    }
  });

  it.each([
    ['by default, since it sends a secret', {}, 'setting'],
    ['if its config says so', { saveResponseBody: false }, 'setting'],
    ['unless its config says so', { saveResponseBody: true }, null],
  ])('has its body and excerpts of it left out %s', async (_when, choice, notStored) => {
    const auth = { kind: 'bearer', token: secrets.header };
    const assertions = [{ source: 'json', property: '$.state', operator: 'equals', value: 'ok' }];
    const config = { auth, assertions, confirm: { failures: 1 }, saveResponseBody: undefined, ...choice };
    const rot13 = (letters: string) =>
      letters.replace(/[a-z]/g, (l) => 'nopqrstuvwxyzabcdefghijklm'[l.charCodeAt(0) - 97] ?? l);
    const hidden = rot13(secrets.leaf);
    answer = (_request, response) => response.end('{"state":"ok"}');
    const { id } = await make(config);
    const incident = await goDown(id, (_request, response) => response.end(JSON.stringify({ state: hidden })));
    const evidence = await read(incident.id);
    expect(evidence[0]?.attempts[0]?.exchanges[0]?.body?.notStored).toBe(notStored);
    expect(JSON.stringify([evidence, incident]).includes(hidden)).toBe(notStored === null);
  });
});

describe('object storage', () => {
  it('delays no verdict while it is away, and gets the evidence when it is back', async () => {
    const { id } = await make();
    s3Line.set('cut');
    const incident = await goDown(id);
    const before = await read(incident.id);
    expect(before).toHaveLength(1);
    await runJob(storeEvidence, {});
    expect(await db.incidentEvidence.count({ where: { incidentId: incident.id, storedAt: null } })).toBe(1);
    expect(await read(incident.id)).toEqual(before);
    s3Line.set('up');
    await runJob(storeEvidence, {});
    expect(await db.incidentEvidence.count({ where: { incidentId: incident.id, storedAt: null } })).toBe(0);
    expect(await read(incident.id)).toEqual(before);
    s3Line.set('cut');
    const answered = await rest('GET', `/api/v1/incidents/${incident.id}/evidence`, { token: key });
    expect([answered.status, answered.body.error?.code]).toEqual([503, 'STORAGE_UNAVAILABLE']);
  }, 30_000);

  it('holds no object of an incident that is deleted during the upload, also if the upload was the last that happened', async () => {
    const { id } = await make();
    const { id: incidentId } = await goDown(id);
    const row = await db.incidentEvidence.findFirstOrThrow({ where: { incidentId } });
    const objectKey = evidenceKey(person.teamId, row);
    await db.incident.delete({ where: { id: incidentId } });
    await storage.put(objectKey, Buffer.from('{}'), { contentType: 'application/json' });
    await runJob(deleteUnusedEvidence, { id: row.id, key: objectKey });
    expect(await storage.get(objectKey)).toBeNull();
    expect(await db.checkAttempt.count({ where: { monitorId: id } })).toBe(0);
  });
});
