import { beforeAll, describe, expect, it } from 'vitest';
import { MOST_LISTED, type OverviewInput, type OverviewSort } from '@/server/monitor-types/schema';
import { findMonitors } from '@/server/monitors/list/find-monitors';
import { groupEntries } from '@/server/monitors/list/group-entries';
import { listOverview, readOrder, readOverviewRows } from '@/server/monitors/list/list-overview';
import { type ListEntry, readTags } from '@/server/monitors/list/list-queries';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { ownState } from '@/tests/support/own-state';
import { makeMonitors, makeTeam } from '../checks/monitors';

const NAMES = ['charlie', 'alpha', 'echo', 'bravo', 'delta', 'foxtrot'];
const tcp = { type: 'tcp' as const, config: { host: 'alpha.test', port: 5432 } };
const sorts = ['worst', 'name', 'p95', 'uptime', 'changed'] as const satisfies OverviewSort[];

let teamId: string;
let otherTeamId: string;
let otherId: string;
let channelId: string;
const ids = new Map<string, string>();
const idOf = (name: string) => ids.get(name) ?? '';
const namesOf = (found: string[]) => found.map((id) => [...ids].find(([, each]) => each === id)?.[0]);

beforeAll(async () => {
  [teamId, otherTeamId] = [await makeTeam(), await makeTeam()];
  const [other] = await makeMonitors(otherTeamId, [{ url: 'http://elsewhere.test/' }]);
  otherId = other?.id ?? '';
  await db.monitor.update({ where: { id: otherId }, data: { tags: ['theirs', 'pay'] } });
  const monitors = await makeMonitors(
    teamId,
    NAMES.map((name, index) => ({ url: `http://${name}.test/`, regions: index < 2 ? ['eu'] : [] })),
  );
  const now = Date.now();
  for (const [index, { id, num }] of monitors.entries()) {
    const name = NAMES[index] ?? '';
    ids.set(name, id);
    const tags = index % 2 === 0 ? ['pay', `only-${name}`] : [];
    await db.monitor.update({ where: { id }, data: { name, tags, ...(name === 'alpha' && tcp) } });
    const statusSince = new Date(now - (index + 1) * 60_000);
    const status = name === 'delta' ? 'down' : 'up';
    const lastCheckedAt = new Date(now);
    await db.monitorState.update({ where: ownState(id), data: { status, statusSince, lastCheckedAt } });
    // Down for a tenth of its life per place; the last has no history of up or down.
    if (name === 'foxtrot') continue;
    await db.statusSpan.deleteMany({ where: { monitorNum: num } });
    const started = new Date(now - 100 * 60_000);
    await db.monitor.update({ where: { id }, data: { createdAt: started } });
    const turned = new Date(now - (index + 1) * 10 * 60_000);
    await db.statusSpan.createMany({
      data: [
        { monitorNum: num, startedAt: started, endedAt: turned, status: 'up' },
        { monitorNum: num, startedAt: turned, status: 'down' },
      ],
    });
    const at = new Date(now - 1000);
    await db.check.create({ data: { monitorNum: num, at, region: '', status: 'up', latencyMs: 100 * (index + 1) } });
  }
  for (const child of ['bravo', 'charlie']) {
    await db.monitor.update({ where: { id: idOf(child) }, data: { parentId: idOf('delta') } });
  }
  channelId = newId();
  await db.channel.create({ data: { id: channelId, teamId, type: 'webhook', name: 'Ops', config: {} } });
  await db.monitor.update({
    where: { id: idOf('echo') },
    data: { allChannels: false, channels: { create: { channelId } } },
  });
});

const expected: Record<OverviewSort, string[]> = {
  worst: ['delta', 'alpha', 'bravo', 'charlie', 'echo', 'foxtrot'],
  name: ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot'],
  p95: ['delta', 'bravo', 'echo', 'alpha', 'charlie', 'foxtrot'],
  uptime: ['delta', 'bravo', 'echo', 'alpha', 'charlie', 'foxtrot'],
  changed: ['charlie', 'alpha', 'echo', 'bravo', 'delta', 'foxtrot'],
};

async function readAll(input: OverviewInput): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listOverview(db, teamId, { ...input, ...(cursor && { cursor }) });
    found.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return found;
}

describe.each(sorts)('a list sorted by %s', (sort) => {
  it.each([1, 2, 5, 100])('returns each monitor once, %i to a page', async (limit) => {
    expect(namesOf(await readAll({ limit, sort }))).toEqual(expected[sort]);
  });

  it('has the same order as the IDs of the whole list', async () => {
    const { groups, isComplete } = await readOrder(db, teamId, { sort });
    expect(groups.map((group) => namesOf(group.ids))).toEqual([expected[sort]]);
    expect(isComplete).toBe(true);
  });

  it('rejects the cursor of another order, and a forged one', async () => {
    const others = sorts.filter((each) => each !== sort);
    const cursors = await Promise.all(
      others.map(async (each) => (await listOverview(db, teamId, { limit: 1, sort: each })).nextCursor ?? ''),
    );
    const forged = [
      '',
      'null',
      '[]',
      JSON.stringify([sort, { gt: 0 }, newId()]),
      JSON.stringify([sort, 'a\u0000', newId()]),
      JSON.stringify([sort, null, "' or true"]),
      // Any text is the position of a name.
      ...(sort === 'name' ? [] : [JSON.stringify([sort, '2026-02-31T00:00:00.000Z', newId()])]),
    ].map((text) => Buffer.from(text).toString('base64url'));
    for (const cursor of [...cursors, ...forged, 'x'.repeat(400)]) {
      await expect(listOverview(db, teamId, { limit: 1, sort, cursor }), cursor).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    }
  });
});

it('combines filters', async () => {
  const cases: [Partial<OverviewInput>, string[]][] = [
    [{ tag: 'pay' }, ['charlie', 'delta', 'echo']],
    [{ type: 'tcp' }, ['alpha']],
    [{ region: 'eu' }, ['alpha', 'charlie']],
    [{ region: 'eu', tag: 'pay' }, ['charlie']],
    [{ region: 'eu', tag: 'pay', status: 'down' }, []],
    [{ parentId: idOf('delta') }, ['bravo', 'charlie']],
    [{ parentId: idOf('delta'), search: 'brav' }, ['bravo']],
    [{ channelId }, ['echo']],
    [{ channelId, type: 'tcp' }, []],
  ];
  for (const [filter, names] of cases) {
    for (const sort of sorts) {
      const page = await listOverview(db, teamId, { limit: 100, sort, ...filter });
      expect([filter, sort, namesOf(page.rows.map(({ id }) => id)).sort()]).toEqual([filter, sort, names]);
      expect(page.matching).toBe(names.length);
      expect(page.total).toBe(NAMES.length);
    }
  }
});

it('groups by tag, type and parent, in the order of first appearance', async () => {
  const read = async (group: 'tag' | 'type' | 'parent') =>
    (await readOrder(db, teamId, { group })).groups.map(({ name, ids: found }) => [name, namesOf(found)]);
  expect(await read('type')).toEqual([
    ['http', ['delta', 'bravo', 'charlie', 'echo', 'foxtrot']],
    ['tcp', ['alpha']],
  ]);
  expect(await read('parent')).toEqual([
    ['delta', ['bravo', 'charlie']],
    [null, ['delta', 'alpha', 'echo', 'foxtrot']],
  ]);
  const tags = await read('tag');
  expect(tags.find(([name]) => name === 'pay')).toEqual(['pay', expected.worst.filter((name) => isPay(name))]);
  expect(tags.at(-1)).toEqual([null, expected.worst.filter((name) => !isPay(name))]);
});
const isPay = (name: string) => NAMES.indexOf(name) % 2 === 0;

it('returns rows by ID with their parent, of the own team only', async () => {
  const rows = await readOverviewRows(db, teamId, { ids: [idOf('bravo'), otherId, newId()] });
  expect(rows.map(({ name, parent }) => [name, parent])).toEqual([['bravo', { id: idOf('delta'), name: 'delta' }]]);
});

it('never shows monitors, tags or children of another team', async () => {
  for (const sort of sorts) {
    const { groups } = await readOrder(db, otherTeamId, { sort, group: 'tag' });
    expect(groups.flatMap((group) => group.ids)).toEqual([otherId, otherId]);
    for (const filter of [{ tag: 'only-charlie' }, { parentId: idOf('delta') }, { channelId }, { region: 'eu' }]) {
      expect((await listOverview(db, otherTeamId, { limit: 10, sort, ...filter })).rows).toEqual([]);
    }
  }
  const tags = await readTags(db, teamId, 2);
  expect(tags).toEqual([
    { tag: 'pay', monitors: 3 },
    { tag: 'only-charlie', monitors: 1 },
  ]);
});

it('finds the most severe monitors of the team by name, address or tag', async () => {
  const find = async (search: string, team = teamId) =>
    (await findMonitors(db, team, { search })).map(({ name }) => name);
  expect(await find('')).toEqual(expected.worst);
  expect(await find('PAY')).toEqual(['delta', 'charlie', 'echo']);
  expect(await find('alpha.test')).toEqual(['alpha']);
  expect(await find('nothing')).toEqual([]);
  expect(await find('pay', otherTeamId)).toEqual(['Monitor of http://elsewhere.test/']);
});

it.each(sorts)('returns each monitor of a list of several thousand once, by %s', async (sort) => {
  const large = await makeTeam();
  await db.$executeRaw`
    with made as (
      insert into monitors (id, team_id, type, name, config, interval_seconds)
      select upper(left('01KB' || md5(${large} || n), 26)), ${large}, 'http', 'Shop ' || n % 7, '{"url":"http://a.test/"}', 60
      from generate_series(1, 2100) n returning id, team_id, num
    )
    insert into monitor_states (monitor_id, team_id, status, status_since)
    select id, team_id, case when num % 2 = 0 then 'up' else 'down' end::monitor_status, '2026-01-01'::timestamptz + num % 5 * interval '1 hour'
    from made`;
  const { groups, isComplete } = await readOrder(db, large, { sort });
  const found = groups.flatMap((group) => group.ids);
  expect([isComplete, found.length, new Set(found).size]).toEqual([true, 2100, 2100]);
});

it('stops reading the tags of a long list once it has as many rows as are listed', async () => {
  let read = 0;
  const entries = Array.from({ length: MOST_LISTED }, (_, index) => ({
    id: `m${index}`,
    get tags() {
      read += 1;
      return Array.from({ length: 20 }, (_tag, number) => `tag ${number}`);
    },
  }));
  const { groups, isComplete } = await groupEntries(db, entries as unknown as ListEntry[], 'tag');
  expect(isComplete).toBe(false);
  expect(groups.map(({ ids: each }) => each.length)).toEqual(Array(20).fill(MOST_LISTED / 20));
  // Each is read up to three times: its length, and its values.
  expect(read).toBeLessThan(MOST_LISTED / 5);
});
