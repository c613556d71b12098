import { beforeAll, expect, it } from 'vitest';
import { MonitorStatus, type OverviewInput } from '@/server/monitor-types/schema';
import { listOverview } from '@/server/monitors/list/list-overview';
import { db } from '@/server/platform/db';
import { ownState } from '@/tests/support/own-state';
import { makeMonitors, makeTeam } from '../checks/monitors';

const COUNTS: Record<MonitorStatus, number> = {
  down: 2,
  degraded: 0,
  unknown: 5,
  maintenance: 1,
  paused: 0,
  pending: 3,
  up: 9,
};

let teamId: string;
let sorted: string[];
beforeAll(async () => {
  teamId = await makeTeam();
  await makeMonitors(await makeTeam(), [{ url: 'http://elsewhere.test/' }]);
  const statuses = MonitorStatus.options.flatMap((status) => Array.from({ length: COUNTS[status] }, () => status));
  const monitors = await makeMonitors(
    teamId,
    statuses.map((_status, index) => ({ url: `http://${index % 4}.test/` })),
  );
  const named = monitors.map(({ id, name }, index) => ({ id, name, status: statuses[index] ?? 'up' }));
  const now = Date.now();
  const window = [-60_000, 3_600_000].map((ms) => new Date(now + ms));
  for (const { id, status } of named) {
    const data = status === 'maintenance' ? { status: 'down' as const, maintenance: window } : { status };
    await db.monitorState.update({ where: ownState(id), data });
  }
  const order = (status: MonitorStatus) => MonitorStatus.options.indexOf(status);
  const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  named.sort((a, b) => order(a.status) - order(b.status) || byText(a.name, b.name) || byText(a.id, b.id));
  sorted = named.map(({ id }) => id);
});

/** All pages of the list. */
async function readAll(input: Omit<OverviewInput, 'cursor'>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listOverview(db, teamId, { ...input, cursor });
    expect(page.rows.length).toBeLessThanOrEqual(input.limit);
    expect(page).toMatchObject({ counts: COUNTS, total: 20 });
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

it.each([1, 2, 3, 7, 19, 20, 100])(
  'sorts by severity, then by name, returning each once, %i to a page',
  async (limit) => {
    expect(await readAll({ limit })).toEqual(sorted);
  },
);

it('filters by status and by search text', async () => {
  expect(await readAll({ limit: 2, status: 'unknown' })).toEqual(sorted.slice(2, 7));
  expect(await readAll({ limit: 2, status: 'degraded' })).toEqual([]);
  expect(await listOverview(db, teamId, { limit: 2, status: 'up' })).toMatchObject({ matching: 9 });
  const found = await readAll({ limit: 2, search: '3.TEST' });
  expect(found).toHaveLength(5);
  expect(found).toEqual(sorted.filter((id) => found.includes(id)));
  expect(await listOverview(db, teamId, { limit: 2, search: '3.test' })).toMatchObject({ matching: 5 });
});
