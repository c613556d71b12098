import { beforeAll, describe, expect, it } from 'vitest';
import { readSample, takeSample } from '@/server/admin/sample-queries';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { ownState } from '@/tests/support/own-state';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
let token: string;

beforeAll(async () => {
  person = await signUp();
  token = await makeKey(person);
});

const create = (changes: Record<string, unknown>) =>
  rest('POST', '/api/v1/monitors', { token, body: httpMonitor(changes) });
const update = (id: string, body: unknown) => rest('PUT', `/api/v1/monitors/${id}`, { token, body });
const detail = async (id: string) => (await rest('GET', `/api/v1/monitors/${id}/detail`, { token })).body;
const rowsOf = (monitorId: string) =>
  db.monitorState.findMany({ where: { monitorId, region: { not: '' } }, orderBy: { region: 'asc' } });
const stateOf = (monitorId: string) => db.monitorState.findUniqueOrThrow({ where: ownState(monitorId) });

describe('list of regions', () => {
  it('names at most 200 of the team that no worker is in, and so does the sample of the metrics', async () => {
    const other = await signUp();
    await db.$executeRaw`
      with made as (
        insert into monitors (id, team_id, type, name, config, interval_seconds, regions)
        select left(gen_random_uuid()::text, 26), ${other.teamId}, 'http', 'Monitor', '{"url":"http://127.0.0.1:9/"}', 3600,
          array(select 'r' || n || '-' || i from generate_series(1, 10) i) from generate_series(1, 30) n returning id, regions
      ) insert into monitor_states (monitor_id, team_id, region, status) select id, ${other.teamId}, unnest(regions), 'paused' from made`;
    const { body } = await rest('GET', '/api/v1/regions', { token: await makeKey(other) });
    expect(body.regions.filter(({ workers }: { workers: number }) => workers === 0)).toHaveLength(200);
    await takeSample();
    expect((await readSample())?.regions).toHaveLength(200);
  });
});

describe('monitor regions', () => {
  it('default to none, and any worker checks the monitor', async () => {
    const { body } = await create({});
    expect(body.monitor.regions).toEqual([]);
    expect(await rowsOf(body.monitor.id)).toEqual([]);
    expect(Number((await stateOf(body.monitor.id)).dueAt)).toBeLessThanOrEqual(Date.now());
    expect((await detail(body.monitor.id)).regions).toEqual([]);
  });

  it('checks each region of a new monitor at once, and not by a worker without a region', async () => {
    const { status, body } = await create({ regions: ['us', 'eu'] });
    expect(status).toBe(201);
    const { id, regions } = body.monitor;
    expect(regions).toEqual(['us', 'eu']);
    const rows = await rowsOf(id);
    expect(rows.map(({ region }) => region)).toEqual(['eu', 'us']);
    for (const { dueAt } of rows) expect(Number(dueAt)).toBeLessThanOrEqual(Date.now());
    expect(Number((await stateOf(id)).dueAt)).toBeGreaterThan(Date.now() + 30_000);
    expect((await detail(id)).regions).toEqual([
      expect.objectContaining({ region: 'eu', status: 'pending', isWatched: false, error: null, latencyMs: null }),
      expect.objectContaining({ region: 'us', status: 'pending', isWatched: false }),
    ]);
    const { monitors } = (await rest('GET', '/api/v1/monitors', { token })).body;
    expect(monitors.find((each: { id: string }) => each.id === id).regions).toEqual(['us', 'eu']);
  });

  it.each([
    ['too many', Array.from({ length: 11 }, (_, n) => `r${n}`)],
    ['capitals', ['EU']],
    ['a space', ['eu west']],
    ['no name', ['']],
    ['a duplicate', ['eu', 'eu']],
    ['a long name', ['e'.repeat(33)]],
  ])('rejects invalid regions: %s', async (_name, regions) => {
    expect(await create({ regions })).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  });

  it('rejects regions of a heartbeat, when creating and updating', async () => {
    const beat = { type: 'heartbeat', name: 'Backup', config: {}, intervalSeconds: 60 };
    const refused = { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } };
    const asked = { token, body: { ...beat, regions: ['eu'] } };
    expect(await rest('POST', '/api/v1/monitors', asked)).toMatchObject(refused);
    const { body } = await rest('POST', '/api/v1/monitors', { token, body: beat });
    expect(await update(body.monitor.id, { regions: ['eu'] })).toMatchObject(refused);
    expect((await update(body.monitor.id, { regions: [] })).status).toBe(200);
  });

  it('can be changed: those that stay keep their state, also when the configuration changes', async () => {
    const { id } = (await create({ regions: ['eu', 'us'] })).body.monitor;
    const saw = { status: 'down' as const, lastCheckedAt: new Date(), lastError: 'Refused' };
    await db.monitorState.updateMany({
      where: { monitorId: id, region: { not: '' } },
      data: { ...saw, claimedBy: 'somebody' },
    });
    expect((await update(id, { regions: ['us', 'ap'] })).body.monitor.regions).toEqual(['us', 'ap']);
    expect(await rowsOf(id)).toMatchObject([
      { region: 'ap', status: 'pending', claimedBy: null },
      { region: 'us', status: 'down', claimedBy: null },
    ]);
    await update(id, { config: { url: 'http://127.0.0.1:9/other' } });
    expect(await rowsOf(id)).toMatchObject([{ status: 'pending' }, { status: 'down' }]);
    await update(id, { regions: [] });
    expect(await rowsOf(id)).toEqual([]);
    expect(Number((await stateOf(id)).dueAt)).toBeLessThanOrEqual(Date.now());
  });

  it('checks no region of a paused monitor, and deletes their state', async () => {
    const { id } = (await create({ regions: ['eu'] })).body.monitor;
    await db.monitorState.updateMany({ where: { monitorId: id, region: { not: '' } }, data: { status: 'down' } });
    await update(id, { isActive: false });
    expect(await rowsOf(id)).toMatchObject([{ region: 'eu', dueAt: null, status: 'pending' }]);
    await update(id, { regions: ['eu', 'us'] });
    expect(await rowsOf(id)).toMatchObject([{ dueAt: null }, { dueAt: null }]);
    expect((await stateOf(id)).dueAt).toBeNull();
    await update(id, { isActive: true });
    for (const { dueAt } of await rowsOf(id)) expect(dueAt).not.toBeNull();
  });

  it('includes regions in a PUT by externalId and in the audit log', async () => {
    const put = (changes: Record<string, unknown>) =>
      rest('PUT', '/api/v1/monitors/by-external-id/regional', { token, body: httpMonitor(changes) });
    const { id } = (await put({ regions: ['eu'] })).body.monitor;
    expect((await put({})).body.monitor.regions).toEqual([]);
    const [entry] = await db.auditEntry.findMany({ where: { targetId: id }, orderBy: { id: 'desc' }, take: 1 });
    expect(entry).toMatchObject({ before: { regions: ['eu'] }, after: { regions: [] } });
  });

  it('deletes the regions of a deleted monitor', async () => {
    const { id } = (await create({ regions: ['eu'] })).body.monitor;
    await rest('DELETE', `/api/v1/monitors/${id}`, { token });
    expect(await rowsOf(id)).toEqual([]);
  });
});

describe('GET regions', () => {
  it("lists the regions of running workers and of the team's monitors, not of other teams", async () => {
    const seenAt = new Date();
    await db.worker.createMany({
      data: [
        { id: newId(), region: 'ap', seenAt },
        { id: newId(), region: 'ap', seenAt },
        { id: newId(), region: 'gone', seenAt: new Date(Date.now() - 3_600_000) },
      ],
    });
    await db.monitor.deleteMany({ where: { teamId: person.teamId } });
    const { id } = (await create({ regions: ['ap', 'sa'] })).body.monitor;
    const list = async (key: string) => (await rest('GET', '/api/v1/regions', { token: key })).body.regions;
    expect(await list(token)).toEqual([
      { name: 'ap', workers: 2 },
      { name: 'sa', workers: 0 },
    ]);
    expect((await detail(id)).regions).toMatchObject([
      { region: 'ap', isWatched: true },
      { region: 'sa', isWatched: false },
    ]);
    expect(await list(await makeKey(await signUp()))).toEqual([{ name: 'ap', workers: 2 }]);
  });
});
