import { beforeAll, expect, it } from 'vitest';
import { listOccurrences } from '@/server/maintenance/occurrences/list-occurrences';
import { listWindows } from '@/server/maintenance/queries';
import { db } from '@/server/platform/db';
import { readMaintenances } from '@/server/status-pages/read-maintenances';
import { longestShare } from '@/tests/support/longest-share';
import { newTeam } from '../notifications/support';

const [WINDOWS, SKIPPED] = [400, 400];

let teamId: string;

/** Windows that run now, each with a rule of its own and as many skipped occurrences as possible. */
beforeAll(async () => {
  teamId = (await newTeam()).team.id;
  await db.$executeRaw`
    insert into maintenance_windows (id, team_id, title, starts_at, ends_at, recurrence, timezone, all_monitors, skipped_starts)
    select ${teamId} || lpad(n::text, 4, '0'), ${teamId}, 'Window ' || n, at, at + interval '10 min', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU',
      'America/New_York', true, (select array_agg(at + day * interval '24 hours') from generate_series(1, ${SKIPPED}::int) day)
    from generate_series(1, ${WINDOWS}::int) n, lateral (select date_trunc('second', now()) - n * interval '1 s' as at) times`;
});

it.each<[string, () => Promise<unknown>]>([
  ['occurrences', () => listOccurrences(db, teamId, {})],
  ['occurrences that are kept', () => listOccurrences(db, teamId, {})],
  ['maintenance of a status page', () => readMaintenances(db, { id: 'page', teamId }, [], new Date())],
  ['maintenance of a status page that is kept', () => readMaintenances(db, { id: 'page', teamId }, [], new Date())],
])('pauses for other teams while it reads the %s of many windows', async (_name, work) => {
  expect(await longestShare(work)).toBeLessThan(0.3);
});

it('returns each window once, in pages of at most 4,000 skipped occurrences', { timeout: 60_000 }, async () => {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listWindows(db, teamId, { limit: 100, cursor, state: 'current' });
    const skipped = page.maintenanceWindows.flatMap((window) => window.skipped);
    expect(skipped.length).toBeLessThanOrEqual(4_000);
    found.push(...page.maintenanceWindows.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(new Set(found).size).toBe(WINDOWS);
  expect(found).toHaveLength(WINDOWS);
});

it('leaves out the skipped occurrences', async () => {
  const [first] = await listOccurrences(db, teamId, { from: new Date(Date.now() + 86_400_000).toISOString() });
  expect(first).toBeUndefined();
});
