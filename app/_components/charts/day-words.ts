import { formatLongDuration, formatPercent } from '@/app/_components/format';
import { type State, stateWords } from '@/app/_components/status/states';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { DAY_MS } from '@/server/time/schema';
import type { Tick } from './bars';

/** A day in UTC: "17 November", with the year unless it is the current one. @param month as in Intl */
export function utcDay(at: string | number, now = Date.now(), month: 'long' | 'short' = 'long'): string {
  const isThisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  const format = { day: 'numeric', month, ...(!isThisYear && { year: 'numeric' as const }) } as const;
  return new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' }).format(new Date(at));
}

const told: [State, string][] = [
  ['down', 'down'],
  ['degraded', 'degraded'],
  ['unknown', 'unknown'],
  ['maintenance', 'under maintenance'],
];

/**
 * The text alternative of daily bars that end today: "last 90 days: down on 3 days, no data before 9 September".
 */
export function daysSentence(days: Tick[], now = Date.now()): string {
  const parts = told.flatMap(([state, word]) => {
    const count = days.filter((day) => day === state).length;
    return count > 0 ? [`${word} on ${count} ${count === 1 ? 'day' : 'days'}`] : [];
  });
  const period = `last ${days.length} days`;
  const first = days.findIndex((day) => day !== null && day !== 'pending' && day !== 'paused');
  if (first === -1) return `${period}: no data`;
  if (parts.length === 0) parts.push('no downtime');
  if (first > 0) parts.push(`no data before ${utcDay(now - (days.length - 1 - first) * DAY_MS, now)}`);
  return `${period}: ${parts.join(', ')}`;
}

export type DayUptime = MonitorDetail['dayUptimes'][number];

/** The day (UTC, "2026-11-17") that is `days` days before `now` (ISO 8601). */
export function utcDayAgo(now: string, days: number): string {
  return new Date(Date.parse(now) - days * DAY_MS).toISOString().slice(0, 10);
}

/** The figures of a day: time down and degraded, or else its status, and its uptime. */
export function dayFacts(tick: Tick, uptime: DayUptime | undefined): { name: string; value: string; state?: State }[] {
  if (!tick) return [{ name: 'No data', value: '' }];
  const { ratio = null, downSeconds = 0, degradedSeconds = 0 } = uptime ?? {};
  const lasted = (state: State, seconds: number) =>
    seconds > 0 ? [{ name: stateWords[state], value: formatLongDuration(Math.max(1, seconds)), state }] : [];
  const trouble = [...lasted('down', downSeconds), ...lasted('degraded', degradedSeconds)];
  return [
    ...(trouble.length > 0 ? trouble : [{ name: stateWords[tick], value: '', state: tick }]),
    ...(ratio === null ? [] : [{ name: 'Uptime', value: formatPercent(ratio) }]),
  ];
}

/** The figures of a day as text: "Down 14 min 56 s, Uptime 98.963 %". */
export function daySentence(tick: Tick, uptime: DayUptime | undefined): string {
  return dayFacts(tick, uptime)
    .map(({ name, value }) => (value ? `${name} ${value}` : name))
    .join(', ');
}
