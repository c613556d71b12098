import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;

beforeAll(async () => {
  person = await signUp('Robin');
  await db.team.updateMany({ where: { id: person.teamId }, data: { plan: 'self_hosted' } });
});

async function call(method: string, path: string, body: object) {
  const answer = await rest(method, path, { token: person.token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.monitor as { id: string };
}

const statesOf = async (monitorId: string) => {
  const states = await db.monitorState.findMany({ where: { monitorId }, orderBy: { region: 'asc' } });
  return new Map(states.map((state) => [state.region, state]));
};

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const make = (regions: string[]) => call('POST', '/api/v1/monitors', httpMonitor({ regions }));
const edit = (id: string) =>
  call('PUT', `/api/v1/monitors/${id}`, httpMonitor({ config: { url: 'https://example.com/new' } }));

describe('editing a config', () => {
  it('keeps that a monitor flaps and was up in between, and resets its streak', async () => {
    const { id } = await make([]);
    const [steadySince, changedAt] = [minutesAgo(5), minutesAgo(5)];
    const data = { status: 'up' as const, openIncident: 'downtime' as const, steadySince, changes: [changedAt] };
    await db.monitorState.updateMany({
      where: { monitorId: id },
      data: { ...data, failures: 3, turnedAt: minutesAgo(1) },
    });
    await edit(id);
    expect((await statesOf(id)).get('')).toMatchObject({ ...data, failures: 0, turnedAt: null });
  });

  it('keeps the votes of regions, so that one good check does not end a downtime', async () => {
    const { id } = await make(['ap', 'eu']);
    const data = { status: 'down', openIncident: 'downtime', lastCheckedAt: minutesAgo(1) } as const;
    await db.monitorState.updateMany({
      where: { monitorId: id },
      data: { ...data, recoveries: 6, turnedAt: minutesAgo(1) },
    });
    await edit(id);
    const states = await statesOf(id);
    for (const region of ['ap', 'eu']) {
      expect(states.get(region)).toMatchObject({ ...data, recoveries: 0, turnedAt: null });
    }
  });
});

describe('adding a region', () => {
  it('makes it confirm a recovery of a monitor that is down before it votes', async () => {
    const { id } = await make(['eu']);
    const data = { status: 'down', openIncident: 'downtime', lastCheckedAt: minutesAgo(1) } as const;
    await db.monitorState.updateMany({ where: { monitorId: id }, data });
    await call('PUT', `/api/v1/monitors/${id}`, { regions: ['eu', 'us'] });
    expect((await statesOf(id)).get('us')).toMatchObject({ status: 'pending', openIncident: 'downtime' });
  });

  it('opens nothing for a monitor that is up or degraded', async () => {
    const { id } = await make(['eu']);
    await db.monitorState.updateMany({
      where: { monitorId: id },
      data: { status: 'degraded', openIncident: 'degraded' },
    });
    await call('PUT', `/api/v1/monitors/${id}`, { regions: ['eu', 'us'] });
    expect((await statesOf(id)).get('us')).toMatchObject({ status: 'pending', openIncident: null });
  });
});
