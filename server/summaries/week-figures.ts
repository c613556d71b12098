import { readHistories, uptimeIn } from '@/server/history/read-histories';
import { readSmallConfigs } from '@/server/history/small-config';
import type { TimeRange, UptimeSeconds } from '@/server/history/uptime';
import { type IncidentSummary, summariseIncidents } from '@/server/incidents/summarise-incidents';
import type { Db } from '@/server/platform/db';
import { takeLoopTurn } from '@/server/platform/loop-share';

/** The maximum number of monitors in a summary. */
const MOST_MONITORS = 20;
/** The number of monitors that are read in a turn. */
const AT_ONCE = 50;

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
  /** The monitors with the lowest uptime in the week, that one first. */
  monitors: MonitorWeek[];
  /** The number of other monitors with data in the week. */
  others: number;
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

async function readMonitors(db: Db, teamId: string, week: TimeRange, before: TimeRange) {
  let worst: MonitorWeek[] = [];
  let count = 0;
  for (let after = '', isMore = true; isMore; ) {
    await takeLoopTurn(teamId);
    const rows = await db.monitor.findMany({
      where: { teamId, id: { gt: after } },
      orderBy: { id: 'asc' },
      take: AT_ONCE,
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
    const configs = await readSmallConfigs(
      db,
      rows.map(({ num }) => num),
    );
    const monitors = rows.map(({ states, ...row }) => {
      return { ...row, config: configs.get(row.num) ?? {}, lastCheckedAt: states[0]?.lastCheckedAt ?? null };
    });
    const histories = await readHistories(db, monitors, [week, before]);
    const found = monitors.flatMap(({ id, name, num }): MonitorWeek[] => {
      const history = histories.get(num);
      const now = history && uptimeIn(history, week);
      return now && now.ratio !== null ? [{ id, name, now, before: uptimeIn(history, before) }] : [];
    });
    count += found.length;
    worst = [...worst, ...found].sort(worstFirst).slice(0, MOST_MONITORS);
    after = rows.at(-1)?.id ?? '';
    isMore = rows.length === AT_ONCE;
  }
  return { monitors: worst, others: count - worst.length };
}

/** Reads the figures of a team for a summary. They equal those on the team's pages and in the API. Takes turns with other teams. */
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
    ...(await readMonitors(db, team.id, week, before)),
  };
}
