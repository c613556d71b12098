import type { Tick } from '@/app/_components/charts/bars';
import type { PublicStatusPage } from '@/server/status-pages/schema';

/** Seconds down, degraded, unknown and under maintenance, and the uptime of a day. */
export type DayTimes = [down: number, degraded: number, unknown: number, maintenance: number, uptime: number | null];

/** The data for the details of the bars, read by the page's script. */
export interface DaysData {
  /** The last day of each bar, such as "2026-11-20". */
  today: string;
  /** By component ID: a letter for each day, and the times of the days that were not fully up. */
  components: Record<string, { days: string; times: Record<string, DayTimes> }>;
  incidents: { id: string; title: string; components: string[]; from: string; to: string | null }[];
}

const letters = { up: 'u', degraded: 'g', down: 'd', unknown: 'k', maintenance: 'm', paused: 's', pending: 'p' };
const ticks = new Map(Object.entries(letters).map(([state, letter]) => [letter, state as Tick]));

/** The status of a letter in `days`; null without data. */
export function tickOf(letter: string | undefined): Tick {
  return ticks.get(letter ?? '') ?? null;
}

/** Encodes the details of a page's bars. */
export function toDaysData({ today, components, openIncidents, pastIncidents }: PublicStatusPage): DaysData {
  return {
    today,
    components: Object.fromEntries(
      components.map(({ id, days, notableDays }) => [
        id,
        {
          days: days.map((day) => (day === null ? '-' : letters[day])).join(''),
          times: Object.fromEntries(
            notableDays.map(({ day, down, degraded, unknown, maintenance, uptime }) => [
              day,
              [down, degraded, unknown, maintenance, uptime],
            ]),
          ),
        },
      ]),
    ),
    incidents: [...openIncidents, ...pastIncidents].map(({ id, title, componentIds, startedAt, resolvedAt }) => ({
      id,
      title,
      components: componentIds,
      from: startedAt,
      to: resolvedAt,
    })),
  };
}
