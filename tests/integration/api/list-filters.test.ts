import { beforeAll, describe, expect, it } from 'vitest';
import { ListMonitorsInput } from '@/server/monitor-types/schema';
import { listOverview } from '@/server/monitors/list/list-overview';
import { listMonitors } from '@/server/monitors/queries';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
let key: string;
/** The IDs of the monitors, by name. */
const ids: Record<string, string> = {};

async function make(name: string, changes: Record<string, unknown> = {}) {
  const { status, body } = await rest('POST', '/api/v1/monitors', {
    token: key,
    body: httpMonitor({ name, ...changes }),
  });
  expect(status, JSON.stringify(body)).toBe(201);
  ids[name] = body.monitor.id;
}

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
  await make('Shop', { externalId: 'shop/eu', tags: ['shop', 'eu'], config: { url: 'http://shop.test/' } });
  await make('Database', { type: 'tcp', config: { host: 'db.test', port: 5432 }, tags: ['eu'] });
  await make('Records', { type: 'dns', config: { host: 'northwind.test', recordType: 'MX' } });
  await make('Certificate', { type: 'tls', config: { host: '2001:db8::1', port: 443 } });
  await make('Job', { type: 'heartbeat', config: {}, isActive: false });
  const other = await makeKey(await signUp());
  await rest('POST', '/api/v1/monitors', { token: other, body: httpMonitor({ name: 'Theirs', externalId: 'theirs' }) });
});

it('finds a name with letters outside ASCII as it is written', async () => {
  const token = await makeKey(await signUp());
  await rest('POST', '/api/v1/monitors', { token, body: httpMonitor({ name: 'Ärzte Österreich' }) });
  const { body } = await rest('GET', `/api/v1/monitors?q=${encodeURIComponent('Österreich')}`, { token });
  expect(body.monitors).toHaveLength(1);
});

async function list(query: string, prefix = '/api/v1') {
  const token = prefix === '/api/v1' ? key : person.token;
  return rest('GET', `${prefix}/monitors?${query}`, { token });
}
const namesOf = ({ body }: Awaited<ReturnType<typeof list>>): string[] =>
  body.monitors.map(({ name }: { name: string }) => name).sort();

describe.each(['/api/v1', '/dashboard'])('GET %s/monitors', (prefix) => {
  it.each([
    ['externalId=shop%2Feu', ['Shop']],
    ['externalId=theirs', []],
    ['externalId=', []],
    ['tag=eu', ['Database', 'Shop']],
    ['tag=EU', ['Database', 'Shop']],
    ['tag=e', []],
    ['type=dns', ['Records']],
    ['status=paused', ['Job']],
    ['status=up', []],
    ['q=shop', ['Shop']],
    ['q=DB.test', ['Database']],
    ['q=db.test:5432', ['Database']],
    ['q=%5B2001:db8::1%5D:443', ['Certificate']],
    ['q=Northwind.test%20MX', ['Records']],
    ['q=sho', ['Shop']],
    ['q=%25', []],
    ['tag=eu&type=tcp', ['Database']],
    ['tag=eu&type=dns', []],
    ['q=', ['Certificate', 'Database', 'Job', 'Records', 'Shop']],
  ])('returns for %s the monitors %j', async (query, expected) => {
    expect(namesOf(await list(query, prefix))).toEqual(expected);
  });

  it('keeps the filter on the next page', async () => {
    const first = await list('tag=eu&limit=1', prefix);
    expect(namesOf(first)).toEqual(['Database']);
    const second = await list(`tag=eu&limit=1&cursor=${first.body.nextCursor}`, prefix);
    expect([namesOf(second), second.body.nextCursor]).toEqual([['Shop'], null]);
  });

  it.each(['type=ftp', 'status=broken', 'externalId=a&externalId=b', 'tags=eu', 'search=x'])(
    'rejects %s',
    async (query) => {
      const { status, body } = await list(query, prefix);
      const [name] = query.split('=');
      expect([status, body.error.issues[0].path]).toEqual([400, name]);
    },
  );
});

describe('GET monitors with 10,000 monitors of a team', () => {
  let many: Person;
  beforeAll(async () => {
    many = await signUp();
    const rows = Array.from({ length: 10_000 }, (_, n) => ({ id: newId(), n }));
    await db.monitor.createMany({
      data: rows.map(({ id, n }) => ({
        id,
        teamId: many.teamId,
        type: n === 17 ? ('grpc' as const) : ('http' as const),
        name: `Monitor ${n}`,
        config: { url: `https://host-${n}.test/` },
        intervalSeconds: 60,
        tags: n === 18 ? ['rare'] : ['common'],
        externalId: `monitor-${n}`,
      })),
    });
    await db.monitorState.createMany({
      data: rows.map(({ id, n }) => ({
        monitorId: id,
        teamId: many.teamId,
        status: n === 19 ? ('down' as const) : ('up' as const),
      })),
    });
    await db.$executeRaw`analyze monitors`;
    await db.$executeRaw`analyze monitor_states`;
  });

  it.each([
    [{ externalId: 'monitor-16' }, 'Monitor 16'],
    [{ type: 'grpc' }, 'Monitor 17'],
    [{ tag: 'rare' }, 'Monitor 18'],
    [{ status: 'down' }, 'Monitor 19'],
  ])('finds the one of %j without reading the others', async (filter, name) => {
    const input = ListMonitorsInput.parse(filter);
    const [found, read] = await db.$transaction(async (tx) => {
      const countRows = async () => {
        const [row] = await tx.$queryRaw<{ rows: number }[]>`
          select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
          where relname in ('monitors', 'monitor_states')`;
        return row?.rows ?? 0;
      };
      const before = await countRows();
      const { monitors } = await listMonitors(tx, many.teamId, input, 'masked');
      return [monitors, (await countRows()) - before];
    });
    expect(found.map((each) => each.name)).toEqual([name]);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(100);
  });
});

it('finds each monitor by the fields that the list shows: name, address and tags', async () => {
  await make('Nightly', {
    type: 'heartbeat',
    intervalSeconds: undefined,
    config: { cron: '0 3 * * *', timezone: 'Europe/Berlin' },
  });
  await make('Path', { config: { url: 'https://Shop.test:8443/orders?token=secret' } });
  const { rows } = await listOverview(db, person.teamId, { limit: 100 });
  expect(rows).toHaveLength(7);
  for (const { id, name, target, tags } of rows) {
    for (const search of [name, target, ...tags]) {
      const found = await listOverview(db, person.teamId, { limit: 100, search });
      expect(
        found.rows.map((row) => row.id),
        search,
      ).toContain(id);
    }
  }
  expect((await listOverview(db, person.teamId, { limit: 100, search: 'secret' })).rows).toEqual([]);
});
