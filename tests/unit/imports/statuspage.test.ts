import { beforeAll, expect, it } from 'vitest';
import { tryImport } from '@/tests/support/read-import';

const run = (content: unknown) => tryImport('statuspage', JSON.stringify(content));

// The first read loads the schemas of all objects.
beforeAll(async () => void (await run({})), 60_000);

const page = {
  id: 'kctbh9vrtdwd',
  name: 'Northwind Cloud',
  url: 'https://status.northwind.example',
  time_zone: 'Etc/UTC',
};
const component = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  status: 'operational',
  group: false,
  group_id: null,
  ...more,
});

it('reads components with their groups as a page, and lists what it leaves out', async () => {
  const result = await run({
    page,
    components: [
      component('a', 'Website', { description: 'The shop' }),
      component('g', 'API', { group: true }),
      component('b', 'Orders', { group_id: 'g', only_show_if_degraded: true }),
    ],
    incidents: [{ id: 'i', name: 'Slow checkout', status: 'monitoring', incident_updates: [] }],
    scheduled_maintenances: [{ id: 'm', name: 'Upgrade' }],
  });
  if ('problem' in result) throw new Error(result.problem);
  const { pages, leftOut, monitors } = result.draft;
  expect(monitors).toEqual([]);
  expect(pages).toMatchObject([
    {
      name: 'Northwind Cloud',
      input: { slug: 'northwind', title: 'Northwind Cloud', isPublic: false },
      components: [
        { name: 'Website', description: 'The shop' },
        { name: 'API: Orders', description: '' },
      ],
    },
  ]);
  expect(pages[0]?.notes.join(' ')).toContain('Components that show only while degraded show always.');
  expect(leftOut.map(({ kind, name, from }) => [kind, name, from])).toEqual([['window', 'Upgrade', 'maintenance']]);
  expect(result.draft.notes).toContain(
    'The incident “Slow checkout” cannot be created with times in the past. Open an incident if it is still ongoing.',
  );
});

it.each([
  ['https://a.statuspage.io', 'a-status'],
  ['https://northwind.statuspage.io', 'northwind'],
  ['', 'northwind-cloud'],
])('names a page at %j %s', async (url, slug) => {
  const result = await run({ page: { ...page, url }, components: [component('a', 'Website')] });
  expect(result).toMatchObject({ draft: { pages: [{ input: { slug } }] } });
});

it.each([[{}], [[]], [{ page }], [{ components: [component('a', 'Website')] }]])('refuses %j', async (content) => {
  expect(await run(content)).toEqual({
    problem: 'This file is not a summary of a Statuspage: it has no page with components.',
  });
});
