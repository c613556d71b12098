import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { db } from '@/server/platform/db';
import { LoopShare } from '@/server/platform/loop-share';
import { getReport } from '@/server/reports/get-report';
import { DAY_MS } from '@/server/time/schema';
import { newTeam } from '../notifications/support';

const MONITORS = 60;
const today = Math.floor(Date.now() / DAY_MS);
const dayOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

let teamId: string;
beforeAll(async () => {
  teamId = (await newTeam()).team.id;
  await db.$executeRaw`
    insert into monitors (id, team_id, type, name, config, interval_seconds)
    select ${teamId} || i, ${teamId}, 'http', 'Monitor ' || i, '{"url":"http://127.0.0.1:9/"}', 60 from generate_series(1, ${MONITORS}::int) i`;
});
afterEach(() => vi.restoreAllMocks());

it.each([
  { days: 7, turns: 3 },
  { days: 100, turns: 4 },
  { days: 366, turns: 15 },
])('reads a report of 60 monitors for $days days in $turns turns', async ({ days, turns }) => {
  const taken = vi.spyOn(LoopShare.prototype, 'take');
  const input = { firstDay: dayOf(today - days), lastDay: dayOf(today - 1), objective: 99.9 };
  expect((await getReport(db, teamId, input)).monitors).toHaveLength(MONITORS);
  expect(taken).toHaveBeenCalledTimes(turns);
});
