import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimDue, spreadOverdue } from '@/server/checks/schedule/claim';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { notifySchedule, stopListening } from '@/server/platform/listen';
import { nextDue } from '@/server/time/phase';
import { testDatabase } from '@/tests/support/database';
import { ownState } from '@/tests/support/own-state';
import { until } from '@/tests/support/receivers';
import { makeDue, makeMonitor, makeMonitors, makeTeam, readSpans, readState } from './monitors';
import { httpTarget, type Target } from './targets';

let target: Target;
let teamId: string;
/** The response of each path; others respond with 200. */
const answers = new Map<string, number | ((response: ServerResponse) => void)>();
const hits = new Map<string, number>();
const running: Scheduler[] = [];

beforeAll(async () => {
  target = await httpTarget((request, response) => {
    const path = request.url ?? '';
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const answer = answers.get(path) ?? 200;
    if (typeof answer === 'number') response.writeHead(answer).end();
    else answer(response);
  });
});

beforeEach(async () => {
  teamId = await makeTeam();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop(500)));
  await db.team.deleteMany();
  answers.clear();
  hits.clear();
});

afterAll(async () => {
  await stopListening();
  await target.close();
});

function start(worker = newId(), concurrency = 50, mostHeld?: number): Scheduler {
  const scheduler = new Scheduler({ worker, region: 'test', concurrency, ...(mostHeld && { mostHeld }) });
  running.push(scheduler);
  scheduler.start();
  return scheduler;
}

let paths = 0;
function url(): { path: string; url: string } {
  paths += 1;
  const path = `/${paths}`;
  return { path, url: `http://127.0.0.1:${target.port}${path}` };
}

const checksOf = (num: number) => db.check.findMany({ where: { monitorNum: num }, orderBy: { at: 'asc' } });
const becomes = (monitorId: string, status: string) =>
  until(async () => (await readState(monitorId)).status === status, 8_000, `The monitor being ${status}`);

describe('monitor lifecycle', () => {
  it('goes up, down with one incident, and up again', async () => {
    const { path, url: address } = url();
    const monitor = await makeMonitor(teamId, { url: address, config: { confirm: { retryDelayMs: 200 } } });
    start();
    await becomes(monitor.id, 'up');
    expect(await readSpans(monitor.num)).toEqual(['pending', 'up']);

    answers.set(path, 503);
    await makeDue(monitor.id);
    await becomes(monitor.id, 'down');
    const incident = await db.incident.findFirstOrThrow({ where: { monitorId: monitor.id } });
    expect(incident).toMatchObject({ status: 'open', type: 'downtime', cause: 'Expected status 200-299, got 503' });
    const failed = (await checksOf(monitor.num)).filter(({ status }) => status === 'down');
    expect(failed.length).toBeGreaterThanOrEqual(2);
    expect(failed[0]).toMatchObject({ region: 'test', statusCode: 503, error: 'Expected status 200-299, got 503' });
    expect(incident.startedAt).toEqual(failed[0]?.at);
    expect(await readSpans(monitor.num)).toEqual(['pending', 'up', 'down']);

    await makeDue(monitor.id);
    await until(async () => (await checksOf(monitor.num)).length >= 4);
    answers.delete(path);
    await makeDue(monitor.id);
    await becomes(monitor.id, 'up');
    expect(await db.incident.findMany({ where: { monitorId: monitor.id } })).toEqual([
      expect.objectContaining({ id: incident.id, status: 'resolved', openKey: null }),
    ]);
    expect(await readSpans(monitor.num)).toEqual(['pending', 'up', 'down', 'up']);
  });

  it('stores the result of each check', async () => {
    const monitor = await makeMonitor(teamId, { url: url().url });
    start();
    await becomes(monitor.id, 'up');
    const [check] = await checksOf(monitor.num);
    expect(check).toMatchObject({ status: 'up', statusCode: 200, error: null, dnsMs: null, tlsMs: null });
    expect(check?.latencyMs).toBeGreaterThanOrEqual(0);
    const state = await readState(monitor.id);
    expect(state).toMatchObject({
      claimedBy: null,
      claimedUntil: null,
      lastError: null,
      lastLatencyMs: check?.latencyMs,
    });
    expect(state.lastCheckedAt).toEqual(check?.at);
    expect(state.dueAt).toEqual(nextDue({ monitorNum: monitor.num, intervalSeconds: 3600 }, check?.at ?? new Date()));
  });

  it('counts a night without a worker as unknown', async () => {
    const monitor = await makeMonitor(teamId, { url: url().url, intervalSeconds: 5 });
    const yesterday = new Date(Date.now() - 86_400_000);
    await db.statusSpan.updateMany({
      where: { monitorNum: monitor.num },
      data: { startedAt: yesterday, status: 'up' },
    });
    await db.monitorState.update({
      where: ownState(monitor.id),
      data: { status: 'up', statusSince: yesterday, lastCheckedAt: new Date(Date.now() - 3_600_000) },
    });
    start();
    await until(async () => (await readSpans(monitor.num)).length === 3);
    expect(await readSpans(monitor.num)).toEqual(['up', 'unknown', 'up']);
  });

  it('starts as soon as the workers are notified', async () => {
    start();
    const first = await makeMonitor(teamId, { url: url().url });
    await becomes(first.id, 'up');
    const monitor = await makeMonitor(teamId, { url: url().url });
    const notifiedAt = Date.now();
    await notifySchedule(db);
    await becomes(monitor.id, 'up');
    expect(Date.now() - notifiedAt).toBeLessThan(1_000);
  });

  it('continues if the clock of the machine is set back', async () => {
    start();
    await becomes((await makeMonitor(teamId, { url: url().url })).id, 'up');
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    await becomes((await makeMonitor(teamId, { url: url().url })).id, 'up');
  });

  it('continues after a pause without checks', async () => {
    const monitor = await makeMonitor(teamId, { url: url().url });
    await db.monitorState.update({ where: ownState(monitor.id), data: { dueAt: null, status: 'paused' } });
    const other = await makeMonitor(teamId, { url: url().url });
    start();
    await becomes(other.id, 'up');
    expect(await checksOf(monitor.num)).toEqual([]);
  });

  it('is unknown if its secrets cannot be decrypted', async () => {
    const monitor = await makeMonitor(teamId, { url: url().url });
    const config = { ...(monitor.config as object), auth: { kind: 'bearer', token: { sealed: 'broken', hint: '' } } };
    await db.monitor.update({ where: { id: monitor.id }, data: { config } });
    start();
    await becomes(monitor.id, 'unknown');
    expect((await readState(monitor.id)).lastError).toContain('APP_SECRET');
    expect(await db.incident.count({ where: { teamId } })).toBe(0);
  });
});

describe('several workers', () => {
  it('check 200 monitors once each', async () => {
    const began = new Date();
    const targets = Array.from({ length: 200 }, url);
    const monitors = await makeMonitors(
      teamId,
      targets.map((each) => ({ url: each.url, intervalSeconds: 86_400 })),
    );
    start(newId(), 10);
    start(newId(), 10);
    await until(async () => (await db.monitorState.count({ where: { status: 'up' } })) === 200, 12_000);
    await new Promise((resolve) => setTimeout(resolve, 500));
    monitors.forEach(({ num }, index) => {
      const again = nextDue({ monitorNum: num, intervalSeconds: 86_400 }, began) < new Date(Date.now() + 1_000);
      if (!again) expect(hits.get(targets[index]?.path ?? '')).toBe(1);
    });
    const ofThese = { where: { monitorNum: { in: monitors.map(({ num }) => num) } } };
    expect(await db.check.count(ofThese)).toBe([...hits.values()].reduce((sum, each) => sum + each, 0));
  });

  it('claim each monitor for one of them', async () => {
    await makeMonitors(teamId, Array.from({ length: 60 }, url));
    const looks = await Promise.all(
      Array.from({ length: 6 }, (_, index) => claimDue(`worker-${index}`, 'test', 1_000, 20)),
    );
    const claims = looks.map((look) => look.claims);
    const claimed = claims.flat().map(({ monitorId }) => monitorId);
    expect(claimed).toHaveLength(new Set(claimed).size);
    const { claims: left } = await claimDue('late', 'test', 1_000, 100);
    expect(claimed.length + left.length).toBe(60);
  });

  it('opens one incident with several workers', async () => {
    const targets = Array.from({ length: 20 }, url);
    for (const { path } of targets) answers.set(path, 500);
    await makeMonitors(
      teamId,
      targets.map((each) => ({ url: each.url, config: { confirm: { retryDelayMs: 100 } } })),
    );
    start();
    start();
    await until(async () => (await db.monitorState.count({ where: { status: 'down' } })) === 20, 10_000);
    expect(await db.incident.count({ where: { teamId, status: 'open' } })).toBe(20);
    expect(await db.incident.count({ where: { teamId } })).toBe(20);
  });

  it('take over the claims of a killed worker', async () => {
    const monitor = await makeMonitor(teamId, { url: url().url });
    expect((await claimDue('killed', 'test', 1_000, 10)).claims).toHaveLength(1);
    const { claimedUntil } = await readState(monitor.id);
    start();
    await becomes(monitor.id, 'up');
    const [check] = await checksOf(monitor.num);
    expect(check?.at.getTime()).toBeGreaterThanOrEqual(claimedUntil?.getTime() ?? Number.NaN);
  });

  it('renew the lease of a check that outlasts it', async () => {
    const { path, url: address } = url();
    answers.set(path, (response) => void setTimeout(() => response.end(), 7_000));
    const monitor = await makeMonitor(teamId, { url: address, config: { timeoutMs: 10_000 } });
    start();
    start();
    await becomes(monitor.id, 'up');
    expect(hits.get(path)).toBe(1);
  });
});

describe('outdated result', () => {
  it('leaves no trace for an edited monitor', async () => {
    const { path, url: address } = url();
    let release = () => {};
    answers.set(path, (response) => {
      release = () => void response.writeHead(500).end();
    });
    const monitor = await makeMonitor(teamId, { url: address, config: { confirm: { failures: 1 } } });
    start();
    await until(() => hits.get(path) === 1);
    const after = url();
    const config = { ...(monitor.config as object), url: after.url };
    await db.$transaction([
      db.monitor.update({ where: { id: monitor.id }, data: { config, version: { increment: 1 } } }),
      db.monitorState.update({
        where: ownState(monitor.id),
        data: { dueAt: new Date(), claimedBy: null, claimedUntil: null, revision: { increment: 1 } },
      }),
    ]);
    release();
    await becomes(monitor.id, 'up');
    expect(hits.get(after.path)).toBe(1);
    expect((await checksOf(monitor.num)).map(({ status }) => status)).toEqual(['up']);
    expect(await db.incident.count({ where: { teamId } })).toBe(0);
  });

  it('is ignored for a deleted monitor', async () => {
    const { path, url: address } = url();
    let release = () => {};
    answers.set(path, (response) => {
      release = () => void response.end();
    });
    const gone = await makeMonitor(teamId, { url: address });
    const stays = await makeMonitor(teamId, { url: url().url });
    start();
    await until(() => hits.get(path) === 1);
    await becomes(stays.id, 'up');
    await db.monitor.delete({ where: { id: gone.id } });
    release();
    await makeDue(stays.id);
    await until(async () => (await checksOf(stays.num)).length === 2);
  });
});

describe('worker', () => {
  it('finishes its checks and releases its claims when it stops', async () => {
    const { path, url: address } = url();
    answers.set(path, (response) => void setTimeout(() => response.end(), 300));
    const monitor = await makeMonitor(teamId, { url: address });
    const later = await makeMonitor(teamId, { url: url().url });
    const soon = new Date(Date.now() + 900);
    await db.monitorState.update({ where: ownState(later.id), data: { dueAt: soon } });
    const scheduler = start('stopping');
    await until(() => hits.get(path) === 1);
    await until(async () => (await readState(later.id)).claimedBy === 'stopping');
    await scheduler.stop(2_000);
    expect((await readState(monitor.id)).status).toBe('up');
    expect(await readState(later.id)).toMatchObject({ status: 'pending', claimedBy: null, dueAt: soon });
  });

  it('claims the checks of another team while those of one team hang', async () => {
    const hanging = Array.from({ length: 60 }, () => {
      const { path, url: address } = url();
      answers.set(path, () => undefined);
      return { url: address };
    });
    await makeMonitors(teamId, hanging);
    start(newId(), 10, 40);
    await until(() => hits.size >= 9, 5_000, 'Checks that hang in all slots');
    const others = await makeMonitors(
      await makeTeam(),
      Array.from({ length: 5 }, () => ({ url: url().url })),
    );
    await notifySchedule(db);
    const areUp = async () => {
      const states = await Promise.all(others.map(({ id }) => readState(id)));
      return states.every(({ status }) => status === 'up');
    };
    await until(areUp, 3_500, 'The checks of another team');
  });

  it('does not wait for a hanging check when it stops', async () => {
    const { path, url: address } = url();
    answers.set(path, () => undefined);
    const monitor = await makeMonitor(teamId, { url: address });
    const scheduler = start();
    await until(() => hits.get(path) === 1);
    const asked = Date.now();
    await scheduler.stop(200);
    expect(Date.now() - asked).toBeLessThan(2_000);
    expect(await readState(monitor.id)).toMatchObject({ status: 'pending', claimedBy: null });
    expect(await checksOf(monitor.num)).toEqual([]);
  });

  it('keeps its results while the database is down', async () => {
    const { path, url: address } = url();
    let release = () => {};
    answers.set(path, (response) => {
      release = () => void response.end();
    });
    const monitor = await makeMonitor(teamId, { url: address });
    start();
    await until(() => hits.get(path) === 1);
    const client = new pg.Client({ connectionString: testDatabase() });
    await client.connect();
    const cut = () =>
      client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    await cut();
    release();
    for (let times = 0; times < 5; times += 1) {
      await cut();
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    await client.end();
    await until(async () => {
      const state = await readState(monitor.id).catch(() => null);
      return state?.status === 'up';
    }, 8_000);
    expect(hits.get(path)).toBe(1);
  });
});

describe('after a pause of the worker', () => {
  it('spreads overdue checks over the interval, and skips missed ones', async () => {
    const monitors = await makeMonitors(
      teamId,
      Array.from({ length: 40 }, () => ({ url: url().url, intervalSeconds: 20 })),
    );
    const hourAgo = new Date(Date.now() - 3_600_000);
    await db.monitorState.updateMany({ data: { dueAt: hourAgo, lastCheckedAt: hourAgo, status: 'up' } });
    const fresh = await makeMonitor(teamId, { url: url().url });
    await db.monitorState.update({ where: ownState(fresh.id), data: { dueAt: hourAgo } });
    // A ping arrived in between, without a worker.
    const pinged = await makeMonitor(teamId, { url: url().url });
    const pingedAt = { lastCheckedAt: new Date(), expectedSince: new Date(), dueAt: new Date(Date.now() + 60_000) };
    await db.monitorState.update({ where: ownState(pinged.id), data: pingedAt });
    expect(await spreadOverdue('')).toBe(40);
    const ids = monitors.map(({ id }) => id);
    const states = await db.monitorState.findMany({ where: { monitorId: { in: ids } } });
    const waits = states.map(({ dueAt }) => (dueAt?.getTime() ?? 0) - Date.now()).sort((a, b) => a - b);
    expect(waits[0]).toBeGreaterThan(-1_000);
    expect(waits.at(-1)).toBeLessThanOrEqual(20_000);
    for (let index = 1; index < waits.length; index += 1) {
      expect((waits[index] ?? 0) - (waits[index - 1] ?? 0)).toBeLessThan(2_000);
    }
    expect((await readState(fresh.id)).dueAt).toEqual(hourAgo);
  });

  it('starts checks that are overdue together in turns of the event loop', async () => {
    const count = 300;
    // Hosts of their own, because at most 20 checks of a host run at once. Nothing needs to answer.
    const monitors = await makeMonitors(
      teamId,
      Array.from({ length: count }, (_, index) => ({
        url: `http://127.1.${index >> 7}.${index & 127}:${target.port}/`,
      })),
    );
    // Claimed ahead of time, and then due together while the thread is busy.
    const dueAt = new Date(Date.now() + 1_500);
    await db.monitorState.updateMany({
      where: { monitorId: { in: monitors.map(({ id }) => id) } },
      data: { dueAt },
    });
    let [started, most] = [0, 0];
    const note = () => {
      started += 1;
    };
    subscribe('net.client.socket', note);
    start(newId(), 1_000);
    // By then, all are claimed and their timers run.
    await new Promise((resolve) => setTimeout(resolve, dueAt.getTime() - 100 - Date.now()));
    while (Date.now() < dueAt.getTime() + 100);
    for (let before = started; started < count; before = started) {
      await turn();
      most = Math.max(most, started - before);
    }
    unsubscribe('net.client.socket', note);
    expect(most).toBeLessThan(count / 4);
  });

  it('delays no check past its interval after a short pause', async () => {
    const [monitor] = await makeMonitors(teamId, [{ url: url().url, intervalSeconds: 60 }]);
    const due = new Date(Date.now() - 55_000);
    await db.monitorState.updateMany({ data: { dueAt: due, lastCheckedAt: due, status: 'up' } });
    await spreadOverdue('');
    const { dueAt } = await readState(monitor?.id ?? '');
    expect((dueAt?.getTime() ?? 0) - due.getTime()).toBeLessThanOrEqual(60_000);
  });
});
