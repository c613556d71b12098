import '@/tests/support/default-limits';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { as, httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

const PATH = '/api/v1/monitors/by-external-id';
let person: Person;
let send: ReturnType<typeof as>;

beforeAll(async () => {
  person = await signUp();
  send = as(await makeKey(person));
});

const monitor = (externalId: string, changes: Record<string, unknown> = {}) => httpMonitor({ externalId, ...changes });

it('creates and updates monitors, each decided by itself', async () => {
  const first = await send('PUT', PATH, { monitors: [monitor('one'), monitor('two')] });
  expect(first.body.results).toMatchObject([
    { externalId: 'one', outcome: 'created', error: null },
    { externalId: 'two', outcome: 'created', error: null },
  ]);
  const wrong = { type: 'ping', config: { host: 'a.test' } };
  const second = await send('PUT', PATH, {
    monitors: [monitor('two', { name: 'Renamed' }), monitor('one', wrong), monitor('three', { channelIds: ['x'] })],
  });
  const [two, one, three] = second.body.results;
  expect(two).toMatchObject({ id: first.body.results[1].id, outcome: 'updated' });
  expect(one).toMatchObject({ id: null, outcome: 'refused', error: { issues: [{ path: 'type' }] } });
  expect(three).toMatchObject({
    outcome: 'refused',
    error: { code: 'VALIDATION_ERROR', issues: [{ path: 'channelIds' }] },
  });
  const names = await db.monitor.findMany({ where: { teamId: person.teamId }, select: { name: true, type: true } });
  expect(names).toEqual(
    expect.arrayContaining([
      { name: 'Renamed', type: 'http' },
      { name: 'Shop', type: 'http' },
    ]),
  );
  expect(names).toHaveLength(2);
});

it('changes nothing if it is repeated', async () => {
  const body = { monitors: [monitor('again', { tags: ['a'] })] };
  await send('PUT', PATH, body);
  const entries = await db.auditEntry.count({ where: { teamId: person.teamId } });
  expect((await send('PUT', PATH, body)).body.results).toMatchObject([{ outcome: 'updated' }]);
  expect(await db.auditEntry.count({ where: { teamId: person.teamId } })).toBe(entries);
});

it('creates each monitor once if several calls race', async () => {
  const body = { monitors: Array.from({ length: 5 }, (_, n) => monitor(`raced ${n}`)) };
  const answers = await Promise.all(Array.from({ length: 4 }, () => send('PUT', PATH, body)));
  for (const { status } of answers) expect(status).toBe(200);
  expect(await db.monitor.count({ where: { teamId: person.teamId, externalId: { startsWith: 'raced ' } } })).toBe(5);
});

it('rejects too many, duplicates and invalid monitors as a whole', async () => {
  const bodies = [
    { monitors: [] },
    { monitors: Array.from({ length: 101 }, (_, n) => monitor(`m${n}`)) },
    { monitors: [monitor('same'), monitor('same')] },
    { monitors: [monitor('fine'), monitor('bad', { config: { url: 'no url' } })] },
  ];
  for (const body of bodies) expect((await send('PUT', PATH, body)).status).toBe(400);
  expect(await db.monitor.count({ where: { teamId: person.teamId, externalId: 'fine' } })).toBe(0);
});

it('counts as one call per ten monitors', async () => {
  const key = await makeKey(await signUp());
  const call = () =>
    rest('PUT', PATH, { token: key, body: { monitors: Array.from({ length: 25 }, (_, n) => monitor(`m${n}`)) } });
  const before = Number((await call()).headers.get('ratelimit-remaining'));
  expect(before - Number((await call()).headers.get('ratelimit-remaining'))).toBe(3);
});
