import { beforeAll, expect, it } from 'vitest';
import { Plans } from '@/server/checks/schedule/plan';
import { db } from '@/server/platform/db';
import type { Monitor } from '@/server/platform/generated/prisma/client';
import { countStatements } from '@/tests/support/count-statements';
import { longestShare } from '@/tests/support/longest-share';
import { loadPlans, makeMonitor, makeTeam } from './monitors';

const toWanted = ({ id: monitorId, version }: Monitor) => ({ monitorId, version });
let monitors: Monitor[];

/** Monitors with large configs. */
beforeAll(async () => {
  const teamId = await makeTeam();
  const { id } = await makeMonitor(teamId, {
    url: 'http://127.0.0.1:9/',
    config: { method: 'POST', body: 'a'.repeat(40_000) },
  });
  await db.$executeRaw`
    insert into monitors (id, team_id, type, name, config, interval_seconds)
    select left(id, 20) || lpad(i::text, 6, '0'), team_id, type, name, config, 3600 from monitors, generate_series(1, 199) i where id = ${id}`;
  monitors = await db.monitor.findMany({ where: { teamId }, orderBy: { id: 'asc' } });
});

it('reads a plan once for each version, and a deleted monitor has none', async () => {
  const plans = new Plans();
  const wanted = monitors.slice(0, 10).map(toWanted);
  expect((await loadPlans([...wanted, { monitorId: 'none', version: 1 }], plans)).size).toBe(10);
  expect(await countStatements(() => loadPlans(wanted, plans))).toBe(0);
  const edited = wanted.map((each) => ({ ...each, version: each.version + 1 }));
  expect(await countStatements(() => loadPlans(edited, plans))).toBe(1);
});

it('forgets plans once their configs are too large in all', async () => {
  const sizeOfOne = JSON.stringify(monitors[0]?.config).length;
  const plans = new Plans({ entries: 1_000, size: 4.5 * sizeOfOne });
  const wanted = monitors.slice(0, 10).map(toWanted);
  // Plans are returned that are not kept.
  expect((await loadPlans(wanted, plans)).size).toBe(10);
  expect(await countStatements(() => loadPlans(wanted.slice(6), plans))).toBe(0);
  expect(await countStatements(() => loadPlans(wanted.slice(0, 4), plans))).toBe(1);
});

it('returns cached plans first, and pauses while it reads many large configs', async () => {
  const plans = new Plans();
  const wanted = monitors.map(toWanted);
  await loadPlans(wanted.slice(-2), plans);
  const sizes: number[] = [];
  const share = await longestShare(async () => {
    for await (const part of plans.inParts(wanted)) sizes.push(part.length);
  });
  expect(sizes).toEqual([2, ...Array(7).fill(25), 23]);
  expect(share).toBeLessThan(0.4);
});
