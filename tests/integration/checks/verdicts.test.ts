import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { resolveIncidents } from '@/server/incidents/resolve-incidents';
import type { ChannelType } from '@/server/notifications/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { notifySchedule, stopListening } from '@/server/platform/listen';
import { ownState } from '@/tests/support/own-state';
import { until } from '@/tests/support/receivers';
import { rest, signUp } from '@/tests/support/rest';
import { makeDue, makeMonitor, makeTeam, readSpans, readState } from './monitors';
import { httpTarget, type Target } from './targets';

let target: Target;
let status = 200;
let waitMs = 0;
let teamId: string;
let scheduler: Scheduler;

beforeAll(async () => {
  target = await httpTarget(async (_request, response) => {
    await sleep(waitMs);
    response.writeHead(status).end();
  });
});

beforeEach(async () => {
  status = 200;
  waitMs = 0;
  teamId = await makeTeam();
  const config = { to: 'a@example.test' };
  await db.channel.create({ data: { id: newId(), teamId, type: 'email', name: 'Mail', config } });
  scheduler = new Scheduler({ worker: newId(), region: 'test', concurrency: 10 });
  scheduler.start();
});

afterEach(async () => {
  await scheduler.stop(500);
  await db.team.deleteMany();
});

afterAll(async () => {
  await stopListening();
  await target.close();
});

async function make(config: Record<string, unknown>) {
  const monitor = await makeMonitor(teamId, { url: `http://127.0.0.1:${target.port}/`, config });
  await until(async () => (await readState(monitor.id)).status === 'up');
  return monitor;
}

/** Runs the monitor's next check now. */
async function checkAgain(monitorId: string): Promise<void> {
  const { lastCheckedAt } = await readState(monitorId);
  await makeDue(monitorId);
  await notifySchedule(db);
  await until(async () => {
    const state = await readState(monitorId);
    return state.lastCheckedAt?.getTime() !== lastCheckedAt?.getTime() && state.claimedBy === null;
  });
}

const incidentsOf = (monitorId: string) =>
  db.incident.findMany({ where: { monitorId }, orderBy: { createdAt: 'asc' }, include: { updates: true } });
const eventsOf = async (incidentId: string, type: ChannelType = 'email') => {
  const deliveries = await db.delivery.findMany({ where: { incidentId, channel: { type } }, orderBy: { id: 'asc' } });
  return deliveries.map(({ event }) => event);
};

describe('slow monitor', () => {
  it('is degraded with an incident after several slow checks, which the downtime replaces without another message', {
    timeout: 60_000,
  }, async () => {
    const hook = { url: 'http://127.0.0.1:9/', secret: 'secret' };
    await db.channel.create({ data: { id: newId(), teamId, type: 'webhook', name: 'Hook', config: hook } });
    const confirm = { failures: 1, degraded: 2 };
    const monitor = await make({ degradedAfterMs: 200, confirm });
    waitMs = 300;
    await checkAgain(monitor.id);
    expect(await readState(monitor.id)).toMatchObject({ status: 'up', latencyStreak: 1 });
    expect(await incidentsOf(monitor.id)).toEqual([]);

    await checkAgain(monitor.id);
    expect(await readState(monitor.id)).toMatchObject({
      status: 'degraded',
      openIncident: 'degraded',
      latencyStreak: 0,
    });
    const [degraded] = await incidentsOf(monitor.id);
    expect(degraded).toMatchObject({ type: 'degraded', status: 'open', openKey: `${monitor.id}:status` });
    expect(degraded?.cause).toMatch(/^Responded in \d+ ms, more than 200 ms$/);
    expect(await eventsOf(degraded?.id ?? '')).toEqual(['incident.opened']);

    status = 500;
    await checkAgain(monitor.id);
    const [ended, downtime] = await incidentsOf(monitor.id);
    expect(ended).toMatchObject({ id: degraded?.id, status: 'resolved', openKey: null });
    expect(ended?.updates.map(({ message }) => message)).toContain('The monitor went down.');
    expect(downtime).toMatchObject({ type: 'downtime', status: 'open', openKey: `${monitor.id}:status` });
    expect(await eventsOf(degraded?.id ?? '')).toEqual(['incident.opened']);
    // Its receiver keeps a copy of each incident.
    expect(await eventsOf(degraded?.id ?? '', 'webhook')).toEqual(['incident.opened', 'incident.resolved']);
    expect(await eventsOf(downtime?.id ?? '')).toEqual(['incident.opened']);
    expect(await readSpans(monitor.num)).toEqual(['pending', 'up', 'degraded', 'down']);
  });
});

describe('monitor that is upside down', () => {
  it('is up while its check fails, and down with an incident once it succeeds', async () => {
    status = 503;
    const monitor = await make({ upsideDown: true, confirm: { failures: 1, recoveries: 1 } });
    expect(await incidentsOf(monitor.id)).toEqual([]);
    status = 200;
    await checkAgain(monitor.id);
    const cause = 'The check succeeded, but it is expected to fail';
    expect(await readState(monitor.id)).toMatchObject({ status: 'down', lastError: cause });
    expect(await incidentsOf(monitor.id)).toMatchObject([{ type: 'downtime', status: 'open', cause }]);
    status = 503;
    await checkAgain(monitor.id);
    await until(async () => (await readState(monitor.id)).status === 'up');
  });
});

describe('incident that somebody resolves while its monitor still fails', () => {
  let token: string;
  beforeEach(async () => {
    ({ teamId, token } = await signUp('Robin'));
  });

  async function resolve(incidentId: string): Promise<string[]> {
    const answer = await rest('POST', `/api/v1/incidents/${incidentId}/resolve`, { token });
    expect(answer.status).toBe(200);
    const { body } = await rest('GET', `/api/v1/incidents/${incidentId}/updates`, { token });
    return body.updates.slice(0, 2).map(({ message }: { message: string }) => message);
  }
  const confirm = { failures: 1, recoveries: 1, degraded: 1 };

  it('is followed by one with the true start at the next check that fails, and its timeline says so', {
    timeout: 60_000,
  }, async () => {
    const monitor = await make({ confirm });
    status = 500;
    await checkAgain(monitor.id);
    const [first] = await incidentsOf(monitor.id);
    await checkAgain(monitor.id);
    expect(await resolve(first?.id ?? '')).toEqual([
      'The monitor is still down. If the next check fails, a new incident opens.',
      'Robin resolved the incident.',
    ]);
    expect(await incidentsOf(monitor.id)).toHaveLength(1);
    await checkAgain(monitor.id);
    await checkAgain(monitor.id);
    const [, second, ...more] = await incidentsOf(monitor.id);
    expect(more).toEqual([]);
    expect(second).toMatchObject({ status: 'open', type: 'downtime', startedAt: first?.startedAt });
    expect(second?.updates.map(({ message }) => message)).toEqual(['Expected status 200-299, got 500']);
  });

  it('is followed by none if the next checks pass', { timeout: 60_000 }, async () => {
    const monitor = await make({ confirm });
    status = 500;
    await checkAgain(monitor.id);
    const [first] = await incidentsOf(monitor.id);
    await resolve(first?.id ?? '');
    status = 200;
    await checkAgain(monitor.id);
    expect(await readState(monitor.id)).toMatchObject({ status: 'up' });
    expect(await incidentsOf(monitor.id)).toHaveLength(1);
  });

  it('is followed by one with the true start also where the monitor is slow', { timeout: 60_000 }, async () => {
    const monitor = await make({ degradedAfterMs: 200, confirm });
    waitMs = 300;
    await checkAgain(monitor.id);
    const [first] = await incidentsOf(monitor.id);
    expect(await resolve(first?.id ?? '')).toEqual([
      'The monitor is still degraded. If the next check is slow, a new incident opens.',
      'Robin resolved the incident.',
    ]);
    await checkAgain(monitor.id);
    const [, second] = await incidentsOf(monitor.id);
    expect(second).toMatchObject({ status: 'open', type: 'degraded', startedAt: first?.startedAt });
  });
});

describe('flapping monitor', () => {
  it('notifies once, until it is stable', { timeout: 60_000 }, async () => {
    const monitor = await make({ confirm: { failures: 1, recoveries: 1 } });
    for (const answer of [500, 200, 500, 200, 500]) {
      status = answer;
      await checkAgain(monitor.id);
    }
    const [, , flapping, ...more] = await incidentsOf(monitor.id);
    expect(more).toEqual([]);
    expect(flapping).toMatchObject({
      status: 'open',
      cause: expect.stringMatching(/^Flapping: 5 changes in \d+ min\. Expected status 200-299, got 500$/),
    });
    for (const answer of [200, 500, 200]) {
      status = answer;
      await checkAgain(monitor.id);
    }
    const state = await readState(monitor.id);
    expect(state).toMatchObject({ status: 'up', openIncident: 'downtime' });
    expect(state.changes.at(-1)).toEqual(state.statusSince);
    expect(state.steadySince).toEqual(state.statusSince);
    expect(await incidentsOf(monitor.id)).toHaveLength(3);
    expect(await eventsOf(flapping?.id ?? '')).toEqual(['incident.opened']);
    expect(await readSpans(monitor.num)).toHaveLength(10);

    // Sets the monitor up since yesterday, with regular checks.
    const yesterday = new Date(Date.now() - 86_400_000);
    await db.monitorState.update({ where: ownState(monitor.id), data: { steadySince: yesterday } });
    await checkAgain(monitor.id);
    expect(await readState(monitor.id)).toMatchObject({ status: 'up', openIncident: null, steadySince: null });
    expect(await eventsOf(flapping?.id ?? '')).toEqual(['incident.opened', 'incident.resolved']);
  });

  it('records the flapping in the timeline if it stays down, and the incident continues', {
    timeout: 60_000,
  }, async () => {
    const monitor = await make({ confirm: { failures: 1, recoveries: 1 } });
    for (const answer of [500, 200, 500, 200, 500]) {
      status = answer;
      await checkAgain(monitor.id);
    }
    const yesterday = new Date(Date.now() - 86_400_000);
    await db.monitorState.update({ where: ownState(monitor.id), data: { steadySince: yesterday } });
    await checkAgain(monitor.id);
    const flapping = (await incidentsOf(monitor.id)).at(-1);
    expect(flapping?.status).toBe('open');
    expect(flapping?.updates.map(({ kind, message }) => `${kind}: ${message}`)).toContain(
      'note: Flapping stopped: down for 24 h.',
    );
    expect(await eventsOf(flapping?.id ?? '')).toEqual(['incident.opened']);
    const message = 'It is over.';
    const ended = { resolvedAt: new Date(), resolution: 'recovered' as const, message };
    const item = { monitorId: monitor.id, subject: 'status' as const, ...ended };
    expect(await db.$transaction((tx) => resolveIncidents(tx, [item]))).toHaveLength(1);
  });
});
