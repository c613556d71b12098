import { readHistories, uptimeIn } from '@/server/history/read-histories';
import { readSmallConfigs } from '@/server/history/small-config';
import type { TimeRange, UptimeSeconds } from '@/server/history/uptime';
import { type IncidentSummary, summariseIncidents } from '@/server/incidents/summarise-incidents';
import type { Db } from '@/server/platform/db';

/** The number of histories that are read together. */
const AT_ONCE = 500;

/** A monitor's uptime in a week and in the week before. */
export interface MonitorWeek {
  id: string;
  name: string;
  now: UptimeSeconds;
  before: UptimeSeconds;
}

export interface WeekFigures {
  teamName: string;
  now: IncidentSummary;
  before: IncidentSummary;
  /** The monitors with data in the week, lowest uptime first. */
  monitors: MonitorWeek[];
}

const ratioOf = ({ ratio }: UptimeSeconds) => ratio ?? 1;

function worstFirst(a: MonitorWeek, b: MonitorWeek): number {
  return (
    ratioOf(a.now) - ratioOf(b.now) ||
    b.now.downSeconds - a.now.downSeconds ||
    ratioOf(a.before) - ratioOf(b.before) ||
    a.name.localeCompare(b.name, 'en')
  );
}

async function readMonitors(db: Db, teamId: string, week: TimeRange, before: TimeRange): Promise<MonitorWeek[]> {
  const rows = await db.monitor.findMany({
    where: { teamId },
    orderBy: { id: 'asc' },
    select: {
      id: true,
      name: true,
      num: true,
      intervalSeconds: true,
      watchChangedAt: true,
      formerWatchMs: true,
      states: { where: { region: '' }, select: { lastCheckedAt: true } },
    },
  });
  const found: MonitorWeek[] = [];
  for (let first = 0; first < rows.length; first += AT_ONCE) {
    const some = rows.slice(first, first + AT_ONCE);
    const configs = await readSmallConfigs(
      db,
      some.map(({ num }) => num),
    );
    const monitors = some.map(({ states, ...row }) => {
      return { ...row, config: configs.get(row.num) ?? {}, lastCheckedAt: states[0]?.lastCheckedAt ?? null };
    });
    const histories = await readHistories(db, monitors, [week, before]);
    for (const { id, name, num } of monitors) {
      const history = histories.get(num);
      const now = history && uptimeIn(history, week);
      if (now && now.ratio !== null) found.push({ id, name, now, before: uptimeIn(history, before) });
    }
  }
  return found.toSorted(worstFirst);
}

/** Reads the figures of a team for a summary. They equal those on the team's pages and in the API. */
export async function readWeekFigures(
  db: Db,
  team: { id: string; name: string },
  { from, to, previousFrom }: { from: Date; to: Date; previousFrom: Date },
): Promise<WeekFigures> {
  const week = { from, to };
  const before = { from: previousFrom, to: from };
  return {
    teamName: team.name,
    now: await summariseIncidents(db, team.id, week),
    before: await summariseIncidents(db, team.id, before),
    monitors: await readMonitors(db, team.id, week, before),
  };
}
