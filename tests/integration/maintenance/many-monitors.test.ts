import { expect, it, vi } from 'vitest';
import { notifyEdge } from '@/server/maintenance/notify-edge';
import { db } from '@/server/platform/db';
import { listen } from '@/server/platform/listen';
import { until } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';
import { newTeam } from '../notifications/support';

const MONITORS = 1_100;

it('notifies pages of the monitors of a large window, at most 500 at once', async () => {
  const { id: teamId } = (await newTeam()).team;
  const windowId = `${teamId.slice(0, -1)}W`;
  await db.$executeRaw`
    insert into monitors (id, team_id, type, name, config, interval_seconds)
    select ${teamId} || lpad(n::text, 4, '0'), ${teamId}, 'tcp', 'Monitor ' || n, '{}', 60 from generate_series(1, ${MONITORS}::int) n`;
  await db.$executeRaw`
    insert into maintenance_periods (monitor_num, window_id, starts_at, ends_at, checks)
    select num, ${windowId}, now() - interval '1 min', now() + interval '1 h', 'pause' from monitors where team_id = ${teamId}`;
  const notified: string[] = [];
  const stop = await listen('live', ({ team, kind, ids }) => {
    if (team === teamId && kind === 'monitor') notified.push(...ids);
  });
  const read = vi.spyOn(db.monitor, 'findMany');
  await runJob(notifyEdge, { windowId });
  const sizes = await Promise.all(read.mock.results.map(async ({ value }) => ((await value) as unknown[]).length));
  expect(sizes).toEqual([500, 500, 100, 0]);
  await until(async () => notified.length >= MONITORS, 5_000, 'The events of all monitors');
  stop();
  expect(new Set(notified).size).toBe(MONITORS);
  const jobs = await db.$queryRaw<unknown[]>`
    select 1 from graphile_worker.jobs where key = ${`maintenance-edge:${windowId}`} and run_at > now()`;
  expect(jobs).toHaveLength(1);
});
