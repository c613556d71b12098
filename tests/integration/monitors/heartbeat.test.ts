import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { heartbeat, pingLimit } from '@/server/api/heartbeat';
import { claimDue } from '@/server/checks/schedule/claim';
import { readGaps, recordListening } from '@/server/checks/schedule/listening';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { recordPing, toPing } from '@/server/monitors/record-ping';
import { sha256 } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { readSpans, readState } from '@/tests/integration/checks/monitors';
import { ownState } from '@/tests/support/own-state';
import { until } from '@/tests/support/receivers';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
let key: string;
const running: Scheduler[] = [];

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
});

afterEach(async () => {
  await db.listeningSpan.deleteMany();
  await Promise.all(running.splice(0).map((each) => each.stop(500)));
});

afterAll(() => stopListening());

function start(): void {
  const scheduler = new Scheduler({ worker: newId(), region: 'test', concurrency: 20 });
  running.push(scheduler);
  scheduler.start();
}

async function create(config: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) {
  const { status, body } = await rest('POST', '/api/v1/monitors', {
    token: key,
    body: { type: 'heartbeat', name: 'Nightly', config, ...changes },
  });
  return { status, body, monitor: body.monitor };
}

async function make(config: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) {
  const { monitor, body } = await create(config, changes);
  if (!monitor) throw new Error(JSON.stringify(body));
  const { num } = await db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
  return { id: String(monitor.id), num, path: new URL(monitor.config.pingUrl).pathname, monitor };
}

async function ping(path: string, { method = 'GET', body }: { method?: string; body?: string } = {}) {
  const address = `http://127.0.0.1:3000${path}`;
  const response = await heartbeat(new Request(address, { method, ...(body !== undefined && { body }) }));
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) };
}

const update = (id: string, body: Record<string, unknown>) =>
  rest('PUT', `/api/v1/monitors/${id}`, { token: key, body });
const incidents = (monitorId: string) => db.incident.findMany({ where: { monitorId }, orderBy: { startedAt: 'asc' } });
const checks = (monitorNum: number) => db.check.findMany({ where: { monitorNum }, orderBy: { at: 'asc' } });

/** Sets the time of the last ping to this long ago and makes the monitor due. */
async function ago(id: string, seconds: number): Promise<void> {
  await db.$executeRaw`
    update monitor_states set expected_since = now() - ${seconds} * interval '1 s', due_at = now()
    where monitor_id = ${id}`;
}

describe('heartbeat', () => {
  it('is created with its own URL, and is pending', async () => {
    const { monitor, id, path, num } = await make();
    expect(monitor).toMatchObject({
      type: 'heartbeat',
      status: 'pending',
      intervalSeconds: 60,
      lastCheckedAt: null,
      config: { graceSeconds: 60, pingUrl: expect.stringMatching(/^http:.*\/api\/heartbeat\/[\w-]{43}$/) },
    });
    const row = await db.monitor.findUniqueOrThrow({ where: { id } });
    const token = path.split('/').at(-1) ?? '';
    expect(row.pingTokenHash).toBe(sha256(token));
    expect(JSON.stringify(row)).not.toContain(token);
    expect(await readState(id)).toMatchObject({ dueAt: null, expectedSince: null });
    const read = await rest('GET', `/api/v1/monitors/${id}`, { token: key });
    expect(read.body.monitor.config).toEqual(monitor.config);
    start();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await readSpans(num)).toEqual(['pending']);
    const audit = await db.auditEntry.findMany({ where: { targetId: id } });
    expect(audit).toHaveLength(1);
    expect(JSON.stringify(audit)).not.toContain(token);
  });

  it.each(['GET', 'HEAD', 'POST'])('accepts a ping by %s', async (method) => {
    const { id, path, num } = await make();
    const answer = await ping(path, { method });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(method === 'HEAD' ? '' : '{"ok":true}');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const state = await readState(id);
    expect(state.status).toBe('up');
    expect(state.dueAt?.getTime()).toBe((state.expectedSince?.getTime() ?? 0) + 120_000);
    expect(await readSpans(num)).toEqual(['pending', 'up']);
    expect(await checks(num)).toMatchObject([{ status: 'up', latencyMs: null, error: null }]);
  });

  it('stores the duration of a run', async () => {
    const { id, path, num } = await make();
    expect((await ping(`${path}/start`)).status).toBe(200);
    const state = await readState(id);
    expect(state).toMatchObject({ status: 'pending', lastCheckedAt: null, expectedSince: null });
    expect(state.dueAt?.getTime()).toBe((state.runStartedAt?.getTime() ?? 0) + 60_000);
    await db.$executeRaw`
      update monitor_states set run_started_at = run_started_at - interval '30 s' where monitor_id = ${id}`;
    await ping(`${path}/0`);
    expect(await readState(id)).toMatchObject({ status: 'up', runStartedAt: null });
    const [check] = await checks(num);
    expect(check?.latencyMs).toBeGreaterThanOrEqual(30_000);
    expect(check?.latencyMs).toBeLessThan(40_000);
  });

  it('is down at once if the job fails, and up at once if it succeeds', async () => {
    const { id, path, num } = await make();
    await ping(path);
    await ping(`${path}/fail`);
    expect(await incidents(id)).toMatchObject([
      { status: 'open', type: 'downtime', cause: 'The job reported a failure' },
    ]);
    await ping(`${path}/137`);
    expect(await incidents(id)).toHaveLength(1);
    expect((await readState(id)).lastError).toBe('The job ended with exit code 137');
    await ping(path);
    expect(await incidents(id)).toMatchObject([{ status: 'resolved' }]);
    expect(await readSpans(num)).toEqual(['pending', 'up', 'down', 'up']);
  });

  it('stores the body of the last ping that had one, up to 10 KiB', async () => {
    const { id, path } = await make();
    const read = () => db.heartbeatBody.findUnique({ where: { monitorId: id } });
    await ping(path);
    expect(await read()).toBeNull();
    await ping(`${path}/3`, { method: 'POST', body: 'disk \u0000full ü' });
    await ping(path);
    expect(await read()).toMatchObject({ signal: '3', body: 'disk full ü' });
    expect((await ping(path, { method: 'POST', body: 'x'.repeat(3_000_000) })).status).toBe(200);
    expect(await read()).toMatchObject({ signal: 'success', body: 'x'.repeat(10_240) });
  });

  it('answers a ping once it is on disk: no retry is needed', async () => {
    const { path } = await make();
    await ping(path);
    // Whether commits are asynchronous, and whether the server or the statement decides it.
    await db.$executeRaw`create table commits (said_by text not null)`;
    await db.$executeRaw`
      create function note_commit() returns trigger language plpgsql as
      'begin insert into commits select source from pg_settings where name = ''synchronous_commit''; return null; end'`;
    await db.$executeRaw`
      create trigger note_commit after update on monitor_states for each row execute function note_commit()`;
    await ping(path);
    await db.$executeRaw`drop function note_commit cascade`;
    expect(await db.$queryRaw`select said_by from commits where said_by <> 'session'`).toHaveLength(1);
  });

  it('returns NOT_FOUND in the error envelope if it does not exist', async () => {
    const { path } = await make();
    for (const wrong of [
      '/api/heartbeat/x',
      `/api/heartbeat/${'x'.repeat(43)}`,
      `${path}/stop`,
      `${path}/256`,
      `${path}/-1`,
      `${path}/00`,
      `${path}/0/0`,
    ]) {
      const { status, body } = await ping(wrong);
      expect({ wrong, status, code: body.error.code }).toEqual({ wrong, status: 404, code: 'NOT_FOUND' });
      expect(Object.keys(body)).toEqual(['error']);
    }
    const put = await ping(path, { method: 'PUT' });
    expect(put).toMatchObject({ status: 405, body: { error: { code: 'METHOD_NOT_ALLOWED' } } });
    expect(put.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('accepts the push URLs of Uptime Kuma, with status and message', async () => {
    const { id, path } = await make();
    const push = path.replace('/api/heartbeat/', '/api/push/');
    expect(await ping(`${push}?status=up&msg=OK&ping=20`)).toMatchObject({ status: 200, body: { ok: true } });
    expect((await readState(id)).status).toBe('up');
    expect(await ping(`${push}?status=down&msg=disk%20full`)).toMatchObject({ status: 200 });
    expect(await readState(id)).toMatchObject({ status: 'down', lastError: 'disk full' });
    const kept = await db.heartbeatBody.findUniqueOrThrow({ where: { monitorId: id } });
    expect(kept).toMatchObject({ body: 'disk full', signal: 'fail' });
    expect(await ping(push)).toMatchObject({ status: 200 });
    expect(await ping(push, { method: 'PUT' })).toMatchObject({ status: 200 });
    for (const wrong of [`${push}/start`, `/api/push/${'x'.repeat(32)}`, '/api/push/short']) {
      expect(await ping(wrong), wrong).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    }
  });

  it('limits the rate of pings', async () => {
    const { id, path } = await make();
    const answers = [];
    for (let index = 0; index < 125; index += 1) answers.push((await ping(path)).status);
    expect(answers.filter((status) => status === 200)).toHaveLength(120);
    const last = await ping(path);
    expect(last).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await readState(id)).status).toBe('up');
  });

  it('limits the rate of all pings of a team, and of no other team', async () => {
    const { path: quiet } = await make();
    const noisy = await signUp();
    const { body } = await rest('POST', '/api/v1/monitors', {
      token: await makeKey(noisy),
      body: { type: 'heartbeat', name: 'Nightly', config: {} },
    });
    const { pathname: path } = new URL(body.monitor.config.pingUrl);
    expect((await ping(path)).status).toBe(200);
    const team = pingLimit.teamOf(path.split('/').at(-1) ?? '');
    // As many as a team may send in a minute, of heartbeats that this process has seen.
    for (let index = 0; index < 11_999; index += 1) pingLimit.note(`known ${index}`, String(team));
    const refused = await ping(path);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED', status: 429 } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('ratelimit-limit'))).toBe(12_000);
    expect((await ping(quiet)).status).toBe(200);
  });

  it('accepts pings while it is paused, without counting them', async () => {
    const { id, path, num } = await make();
    await ping(path);
    const pinged = await readState(id);
    await update(id, { isActive: false });
    expect((await ping(path)).status).toBe(200);
    expect(await readState(id)).toMatchObject({ status: 'paused', dueAt: null });
    expect(await checks(num)).toHaveLength(1);
    await update(id, { isActive: true });
    start();
    // Due from the time it was resumed, not from the previous ping.
    await until(async () => {
      const { dueAt, expectedSince } = await readState(id);
      return dueAt?.getTime() === (expectedSince?.getTime() ?? 0) + 120_000;
    });
    const state = await readState(id);
    expect(state.status).toBe('up');
    expect(state.expectedSince?.getTime()).toBeGreaterThan(pinged.expectedSince?.getTime() ?? 0);
  });

  it('rejects Check now', async () => {
    const { id } = await make();
    const { status, body } = await rest('POST', `/dashboard/monitors/${id}/check`, { token: person.token });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
  });
});

describe('time in which pings can be received', () => {
  const quiet = (seconds: number) => db.$executeRaw`
    update listening_spans set from_at = from_at - ${seconds} * interval '1 s',
      until_at = until_at - ${seconds} * interval '1 s'`;
  /** How long the gaps after the first knowledge were, in whole seconds. */
  const gaps = async () =>
    (await readGaps())?.slice(1).map(({ from, to }) => Math.round((to.getTime() - from.getTime()) / 1000));

  it('is not known before any web process said so', async () => {
    expect(await readGaps()).toBeNull();
    await recordListening('started');
    expect(await readGaps()).toMatchObject([{ from: new Date(0) }]);
  });

  it('has no gap between one saying and the next', async () => {
    await recordListening('started');
    await quiet(4);
    await recordListening('listening');
    expect(await gaps()).toEqual([]);
    expect(await db.listeningSpan.count()).toBe(1);
  });

  it.each([
    ['a silence', 30, 'listening', [30]],
    ['the end of one process and the start of the next', 4, 'started', [4]],
    ['a ping that could not be stored', 2, 'lost', [2]],
    ['a start beside a process that is there', 2, 'started', []],
  ] as const)('reports %s', async (_name, seconds, before, found) => {
    await recordListening('started');
    await quiet(seconds);
    await recordListening(before);
    expect(await gaps()).toEqual(found);
  });

  it('has not come back while nobody says so', async () => {
    await recordListening('started');
    await quiet(30);
    expect(await gaps()).toEqual([30]);
  });
});

describe('heartbeat deadline', () => {
  it('turns the monitor down with a cause, and a ping turns it up again', async () => {
    const { id, path, num } = await make({ graceSeconds: 5 });
    await ping(path);
    await ago(id, 65);
    start();
    await until(async () => (await readState(id)).status === 'down');
    expect(await incidents(id)).toMatchObject([
      { status: 'open', cause: expect.stringMatching(/^No ping received from /) },
    ]);
    expect(await checks(num)).toMatchObject([{ status: 'up' }, { status: 'down' }]);
    await ping(path);
    expect(await incidents(id)).toMatchObject([{ status: 'resolved' }]);
    expect(await readSpans(num)).toEqual(['pending', 'up', 'down', 'up']);
  });

  it('passes if a run does not end', async () => {
    const { id, path } = await make();
    await ping(`${path}/start`);
    await db.$executeRaw`
      update monitor_states set run_started_at = now() - interval '61 s', due_at = now() where monitor_id = ${id}`;
    start();
    await until(async () => (await readState(id)).status === 'down');
    expect(await incidents(id)).toMatchObject([{ cause: expect.stringContaining('did not finish within 60 s') }]);
  });

  it('counts no failure if it passed while no worker ran', async () => {
    const { id, path } = await make({ graceSeconds: 5 });
    await ping(path);
    await ago(id, 3600);
    await db.$executeRaw`update monitor_states set due_at = now() - interval '50 min' where monitor_id = ${id}`;
    start();
    await until(async () => (await readState(id)).status === 'unknown');
    expect(await incidents(id)).toEqual([]);
    const { dueAt } = await readState(id);
    expect(dueAt?.getTime()).toBeGreaterThan(Date.now() + 50_000);
  });

  it('counts no failure if no web process could receive the ping, until the next one is overdue', async () => {
    const { id, path, num } = await make({ graceSeconds: 5 });
    await ping(path);
    await ago(id, 65);
    // Said until 10 s ago, when the ping was not yet due, and again from 1 s ago on.
    await db.$executeRaw`
      insert into listening_spans (from_at, until_at) values
        (now() - interval '1 h', now() - interval '10 s'), (now() - interval '1 s', now() + interval '1 min')`;
    start();
    await until(async () => (await readState(id)).status === 'unknown');
    expect(await incidents(id)).toEqual([]);
    const error = expect.stringMatching(/^Upwatch could not receive pings from /);
    expect(await checks(num)).toMatchObject([{ status: 'up' }, { status: 'unknown', error }]);
    // The next one is due 120 s after the last ping.
    await ago(id, 131);
    await until(async () => (await readState(id)).status === 'down');
    expect(await incidents(id)).toMatchObject([{ status: 'open' }]);
  });

  it('counts no failure if the ping came while the database was away, and is recorded afterwards', async () => {
    const { id, path, num } = await make({ graceSeconds: 60 });
    const kept = (signal: string, agoSeconds: number) =>
      recordPing(
        toPing({ token: path.split('/').at(-1) ?? '', signal, body: Buffer.from('') }),
        new Date(Date.now() - agoSeconds * 1_000),
      );
    await ping(path);
    await ago(id, 600);
    await db.$executeRaw`update monitor_states set last_checked_at = expected_since, status_since = expected_since where monitor_id = ${id}`;
    await kept('start', 100);
    await kept('', 90);
    expect(await readState(id)).toMatchObject({ status: 'up', runStartedAt: null });
    const { expectedSince, dueAt } = await readState(id);
    expect(Math.abs(Date.now() - 90_000 - (expectedSince?.getTime() ?? 0))).toBeLessThan(5_000);
    expect(dueAt?.getTime()).toBe((expectedSince?.getTime() ?? 0) + 120_000);
    expect((await checks(num)).map(({ at }) => at)).toContainEqual(expectedSince);
    // Later pings have said more: these change nothing.
    await kept('fail', 95);
    await kept('start', 95);
    expect(await readState(id)).toMatchObject({ status: 'up', expectedSince, runStartedAt: null });
    expect(await incidents(id)).toEqual([]);
    await kept('fail', 80);
    expect(await readState(id)).toMatchObject({ status: 'down' });
  });

  it('loses against a ping, by the stored state', async () => {
    const { id, path } = await make({ graceSeconds: 5 });
    await ping(path);
    await ago(id, 65);
    // A worker has claimed the deadline check when the ping arrives.
    const [claim] = (await claimDue('slow', 'test', 1_000, 10)).claims;
    expect(claim?.monitorId).toBe(id);
    await ping(path);
    await db.$executeRaw`update monitor_states set claimed_until = now() where monitor_id = ${id}`;
    start();
    await until(async () => (await readState(id)).claimedBy === null);
    expect(await readState(id)).toMatchObject({ status: 'up' });
    expect(await incidents(id)).toEqual([]);
  });

  it('leaves one incident at most, and none open, with concurrent pings', async () => {
    const { id, path } = await make({ graceSeconds: 5 });
    await ping(path);
    for (let round = 0; round < 5; round += 1) {
      await ago(id, 65);
      // Each round is independent: so many changes in a row would count as flapping.
      await db.monitorState.update({ where: ownState(id), data: { changes: [] } });
      start();
      await Promise.all([ping(path), ping(`${path}/fail`), ping(path), ping(`${path}/start`)]);
      await ping(path);
      expect((await incidents(id)).filter(({ openKey }) => openKey !== null)).toEqual([]);
    }
    expect((await readState(id)).status).toBe('up');
    await readSpans((await db.monitor.findUniqueOrThrow({ where: { id } })).num);
  });

  it('moves with the interval and the grace period', async () => {
    const { id, path } = await make();
    await ping(path);
    start();
    await update(id, { intervalSeconds: 300, config: { graceSeconds: 10 } });
    await until(async () => {
      const { dueAt, expectedSince } = await readState(id);
      return dueAt?.getTime() === (expectedSince?.getTime() ?? 0) + 310_000;
    });
    expect((await readState(id)).status).toBe('up');
  });
});

describe('heartbeat config', () => {
  it('accepts a schedule instead of an interval', async () => {
    const { monitor, path, id } = await make({ cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' });
    expect(monitor).toMatchObject({
      intervalSeconds: 3 * 86_400,
      config: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
    });
    await ping(path);
    const { dueAt } = await readState(id);
    expect(dueAt && [dueAt.getUTCMinutes(), dueAt.getUTCSeconds()]).toEqual([1, 0]);
    expect([1, 2, 3, 4, 5]).toContain(dueAt?.getUTCDay());
  });

  it.each([
    ['config.cron', { cron: '0 9 * *' }, {}],
    ['config.cron', { cron: '* * * * * *' }, {}],
    ['config.cron', { cron: '0 0 30 2 *' }, {}],
    ['config.cron', { cron: '* 2 * 3 0L', timezone: 'Europe/Berlin' }, {}],
    ['config.cron', { cron: '61 * * * *' }, {}],
    ['config.timezone', { cron: '0 9 * * *', timezone: 'Mars/Olympus' }, {}],
    ['config.timezone', { timezone: 'UTC' }, {}],
    ['config.graceSeconds', { graceSeconds: 0 }, {}],
    ['config.confirm', { confirm: {} }, {}],
    ['config.pingUrl', { pingUrl: 'http://mine.test/' }, {}],
    ['intervalSeconds', { cron: '0 9 * * *' }, { intervalSeconds: 60 }],
  ])('is rejected at %s: %j %j', async (path, config, changes) => {
    const { status, body } = await create(config, changes);
    expect({ status, paths: body.error.issues.map((issue: { path: string }) => issue.path) }).toEqual({
      status: 400,
      paths: [path],
    });
  });

  it('is returned as stored, and its URL cannot be changed', async () => {
    const { id, monitor } = await make({ graceSeconds: 90 });
    const same = await update(id, { config: monitor.config });
    expect(same.body.monitor.config).toEqual(monitor.config);
    const stored = await db.monitor.findUniqueOrThrow({ where: { id } });
    expect(stored.config).toEqual({ graceSeconds: 90 });
    const other = await update(id, { config: { ...monitor.config, pingUrl: `${monitor.config.pingUrl}x` } });
    expect(other.status).toBe(400);
  });

  it('changes from an interval to a schedule and back', async () => {
    const { id } = await make({}, { intervalSeconds: 120 });
    const toCron = await update(id, { config: { cron: '0 3 * * *' } });
    expect(toCron.body.monitor.intervalSeconds).toBe(86_400);
    expect((await update(id, { intervalSeconds: 60 })).status).toBe(400);
    expect((await update(id, { name: 'Weekly' })).body.monitor.intervalSeconds).toBe(86_400);
    expect((await update(id, { config: {} })).body.monitor.intervalSeconds).toBe(60);
    expect((await update(id, { config: {}, intervalSeconds: 30 })).body.monitor.intervalSeconds).toBe(30);
  });

  it('is created and kept the same by its externalId', async () => {
    const path = '/api/v1/monitors/by-external-id/nightly';
    const body = { type: 'heartbeat', name: 'Nightly', config: { cron: '0 3 * * *' } };
    const first = await rest('PUT', path, { token: key, body });
    const second = await rest('PUT', path, { token: key, body });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.monitor.config).toEqual(first.body.monitor.config);
  });
});
