import { beforeAll, expect, it } from 'vitest';
import { listOverview } from '@/server/monitors/list/list-overview';
import { db } from '@/server/platform/db';
import { readPublicPage } from '@/server/status-pages/read-public-page';
import { type Person, rest, signUp } from '@/tests/support/rest';

const COUNT = 20;
const PAGE_BYTES = 1024 * 1024;

let person: Person;

/** A config of this many bytes, most of it the body. */
const configOf = (bytes: number) => {
  const config = { url: 'https://shop.example.test/orders?page=1', method: 'POST', body: '' };
  return { ...config, body: 'é'.repeat((bytes - JSON.stringify(config).length) / 2) };
};

const create = (n: number, bytes: number) =>
  rest('POST', '/api/v1/monitors', {
    token: person.token,
    body: { type: 'http', name: `Large ${String(n).padStart(2, '0')}`, isActive: false, config: configOf(bytes) },
  });

beforeAll(async () => {
  person = await signUp('Robin');
  await db.team.update({ where: { id: person.teamId }, data: { plan: 'self_hosted' } });
  // Defaults and the encryption of what may be a secret take the rest of 64 KiB.
  for (let n = 0; n < COUNT; n += 1) expect((await create(n, 60_000)).status).toBe(201);
});

it('rejects configs from 64 KiB on, at the config', async () => {
  const response = await create(99, 90_000);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ error: { code: 'VALIDATION_ERROR', issues: [{ path: 'config' }] } });
  expect(await db.monitor.count({ where: { teamId: person.teamId } })).toBe(COUNT);
});

it('end a page of the list early, so that each monitor is listed once', async () => {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor ? `&cursor=${cursor}` : '';
    const { body }: { body: { monitors: { id: string }[]; nextCursor: string | null } } = await rest(
      'GET',
      `/api/v1/monitors?limit=100${query}`,
      { token: person.token },
    );
    expect(JSON.stringify(body.monitors).length).toBeLessThan(PAGE_BYTES * 1.1);
    ids.push(...body.monitors.map(({ id }) => id));
    cursor = body.nextCursor;
  } while (cursor !== null);
  const rows = await db.monitor.findMany({ where: { teamId: person.teamId }, orderBy: { id: 'desc' } });
  expect(ids).toEqual(rows.map(({ id }) => id));
});

it('shows only the address of a large config in the overview and on status pages', async () => {
  const { rows } = await listOverview(db, person.teamId, { limit: 100 });
  expect(rows.map(({ target }) => target)).toEqual(new Array(COUNT).fill('shop.example.test/orders'));
  const monitorIds = rows.map(({ id }) => id);
  const body = { slug: 'large', title: 'Large', isPublic: true, monitorIds };
  const made = await rest('POST', '/api/v1/status-pages', { token: person.token, body });
  expect(made.status).toBe(201);
  const page = await readPublicPage(db, 'large');
  expect(page?.page.components.map(({ name }) => name).slice(0, 2)).toEqual(['Large 00', 'Large 01']);
});

it('stay as they are when many are paused and resumed, and are in no audit entry of it', async () => {
  const before = await db.monitor.findMany({ where: { teamId: person.teamId }, select: { id: true, config: true } });
  const ids = before.map(({ id }) => id);
  const resumed = await rest('POST', '/api/v1/monitors/bulk', { token: person.token, body: { action: 'resume', ids } });
  expect(resumed.status).toBe(200);
  expect(await db.monitor.findMany({ where: { teamId: person.teamId }, select: { id: true, config: true } })).toEqual(
    before,
  );
  const entries = await db.auditEntry.findMany({ where: { teamId: person.teamId, action: 'monitor.update' } });
  expect(entries).toHaveLength(COUNT);
  for (const { before: was, after } of entries) expect([was, after]).toEqual([{ isActive: 0 }, { isActive: 1 }]);
});
