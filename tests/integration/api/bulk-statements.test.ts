import { beforeAll, describe, expect, it } from 'vitest';
import { openKey } from '@/server/incidents/open-key';
import type { BulkResult } from '@/server/lists/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { makeMonitors, readSpans } from '@/tests/integration/checks/monitors';
import { countStatements } from '@/tests/support/count-statements';
import { type Person, rest, signUp } from '@/tests/support/rest';

const FEW = 2;
const MANY = 100;
/** Statements of one call, its authentication and limits included. */
const MOST_STATEMENTS = 50;
const HOUR_MS = 3_600_000;

let person: Person;

beforeAll(async () => {
  person = await signUp('Robin');
  await db.team.update({ where: { id: person.teamId }, data: { plan: 'self_hosted' } });
  for (const name of ['Hook', 'Other hook']) {
    const body = { type: 'webhook', name, config: { url: 'https://example.test/hook' } };
    await rest('POST', '/dashboard/notification-channels', { token: person.token, body });
  }
  const window = {
    title: 'Planned',
    startsAt: new Date(Date.now() + HOUR_MS).toISOString(),
    endsAt: new Date(Date.now() + 2 * HOUR_MS).toISOString(),
    allMonitors: true,
  };
  await rest('POST', '/api/v1/maintenance-windows', { token: person.token, body: window });
});

/** Monitors that are down since an hour ago, each with an open incident and two regions. */
async function makeDown(count: number) {
  const { teamId } = person;
  const since = new Date(Date.now() - HOUR_MS);
  const options = { url: 'https://example.test/', intervalSeconds: 60, regions: ['eu', 'us'] };
  const monitors = await makeMonitors(teamId, new Array(count).fill(options));
  const ids = monitors.map(({ id }) => id);
  await db.statusSpan.updateMany({
    where: { monitorNum: { in: monitors.map(({ num }) => num) } },
    data: { startedAt: since, status: 'down' },
  });
  await db.monitorState.updateMany({
    where: { monitorId: { in: ids }, region: '' },
    data: { status: 'down', statusSince: since, lastCheckedAt: since, openIncident: 'downtime' },
  });
  await db.incident.createMany({
    data: ids.map((monitorId) => {
      const open = { openKey: openKey(monitorId, 'status'), title: 'Down', cause: 'Refused', startedAt: since };
      return { id: newId(), teamId, monitorId, type: 'downtime' as const, status: 'open' as const, ...open };
    }),
  });
  const incidents = await db.incident.findMany({ where: { monitorId: { in: ids } }, select: { id: true } });
  return { monitors, ids, incidentIds: incidents.map(({ id }) => id) };
}

async function bulk(kind: 'monitors' | 'incidents', action: string, ids: string[]): Promise<BulkResult[]> {
  const { status, body } = await rest('POST', `/api/v1/${kind}/bulk`, { token: person.token, body: { action, ids } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.results;
}

/** The statements of a call that changes all of these objects. */
function statements(kind: 'monitors' | 'incidents', action: string, ids: string[]): Promise<number> {
  return countStatements(async () => {
    const results = await bulk(kind, action, ids);
    expect(results).toEqual(ids.map((id) => ({ id, outcome: 'done', error: null })));
  });
}

describe('bulk calls', () => {
  it('pause and resume 100 monitors with as many statements as two, each with audit entry, spans and job', async () => {
    const [few, many] = [await makeDown(FEW), await makeDown(MANY)];
    for (const action of ['pause', 'resume']) {
      const counts = [await statements('monitors', action, few.ids), await statements('monitors', action, many.ids)];
      expect(counts[1]).toBeLessThanOrEqual((counts[0] ?? 0) + 3);
      expect(counts[1]).toBeLessThan(MOST_STATEMENTS);
    }
    const where = { targetId: { in: many.ids }, action: 'monitor.update' };
    const entries = await db.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
    expect(entries).toHaveLength(2 * MANY);
    expect(entries[0]).toMatchObject({ before: { isActive: 1 }, after: { isActive: 0 }, actorName: person.email });
    // Resumed within the time of an undo: the incident is open again, and the monitor is checked at once in each region.
    expect(await db.incident.count({ where: { id: { in: many.incidentIds }, status: 'open' } })).toBe(MANY);
    const states = await db.monitorState.findMany({ where: { monitorId: { in: many.ids } } });
    expect(states.map(({ region }) => region).toSorted()).toEqual(
      ['', 'eu', 'us'].flatMap((region) => new Array(MANY).fill(region)),
    );
    for (const { region, dueAt, openIncident, status } of states) {
      expect(dueAt).toBeInstanceOf(Date);
      if (region === '') expect({ openIncident, status }).toEqual({ openIncident: 'downtime', status: 'unknown' });
    }
    for (const { num } of many.monitors.slice(0, 3)) {
      expect(await readSpans(num)).toEqual(['down', 'unknown', 'paused', 'unknown']);
    }
  });

  it('resume 100 monitors after the time of an undo with as many statements as two, and notify the incidents that the pause resolved', async () => {
    const [few, many] = [await makeDown(FEW), await makeDown(MANY)];
    const ids = [...few.ids, ...many.ids];
    for (const group of [few, many]) await bulk('monitors', 'pause', group.ids);
    await db.$executeRaw`
      update monitor_states set before_pause = jsonb_set(before_pause, '{at}', to_jsonb(now() - interval '1 h'))
      where monitor_id = any(${ids}) and before_pause is not null`;
    const counts = [await statements('monitors', 'resume', few.ids), await statements('monitors', 'resume', many.ids)];
    expect(counts[1]).toBeLessThanOrEqual((counts[0] ?? 0) + 3);
    expect(counts[1]).toBeLessThan(MOST_STATEMENTS);
    const resolutions = { incidentId: { in: many.incidentIds }, event: 'incident.resolved' as const };
    expect(await db.delivery.count({ where: resolutions })).toBe(2 * MANY);
  });

  it('acknowledge and resolve 100 incidents with as many statements as two', async () => {
    const [few, many] = [await makeDown(FEW), await makeDown(MANY)];
    for (const action of ['acknowledge', 'resolve']) {
      const counts = [
        await statements('incidents', action, few.incidentIds),
        await statements('incidents', action, many.incidentIds),
      ];
      expect(counts[1]).toBeLessThanOrEqual((counts[0] ?? 0) + 3);
      expect(counts[1]).toBeLessThan(MOST_STATEMENTS);
      const where = { targetId: { in: many.incidentIds }, action: `incident.${action}` };
      expect(await db.auditEntry.count({ where })).toBe(MANY);
    }
  });
});
