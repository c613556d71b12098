import { dayTimes, type History, uptimeIn } from '@/server/history/read-histories';
import { type StateMs, toUptime, worstOf } from '@/server/history/uptime';
import { DAY_MS } from '@/server/time/schema';
import { BAR_DAYS, type Component, type PublicDay } from '../schema';

/** Rounds a ratio down to the displayed thousandth of a percent. */
function floorRatio(ratio: number | null): number | null {
  return ratio === null || ratio === 1 ? ratio : Math.min(0.99999, Math.floor(ratio * 100_000 + 1e-6) / 100_000);
}

const notable = ['down', 'degraded', 'unknown', 'maintenance'] as const;

/** Returns the days on which a component was not only up: with time down, degraded, unknown or in maintenance. */
function notableDays(times: StateMs[], firstDay: number): PublicDay[] {
  return times.flatMap((time, index) => {
    if (notable.every((state) => time[state] === 0)) return [];
    const seconds = (state: (typeof notable)[number]) => Math.round(time[state] / 1000);
    return {
      day: new Date((firstDay + index) * DAY_MS).toISOString().slice(0, 10),
      down: seconds('down'),
      degraded: seconds('degraded'),
      unknown: seconds('unknown'),
      maintenance: seconds('maintenance'),
      uptime: floorRatio(toUptime(time).ratio),
    };
  });
}

/** Returns the start of the 90 days that a component's bar and uptime cover. */
export function barStart(now: Date): Date {
  return new Date(now.getTime() - BAR_DAYS * DAY_MS);
}

/** Adds the last 90 days to a component. Days are whole days in UTC, today last. */
export function toPublicComponent(
  shown: Pick<Component, 'id' | 'name' | 'description' | 'status'> & { since: Date },
  history: History,
  now: Date,
): Component {
  const firstDay = Math.floor(now.getTime() / DAY_MS) - BAR_DAYS + 1;
  const times = dayTimes(history, firstDay, BAR_DAYS, now);
  return {
    ...shown,
    since: shown.since.toISOString(),
    uptime: floorRatio(uptimeIn(history, { from: barStart(now), to: now }).ratio),
    days: times.map(worstOf),
    notableDays: notableDays(times, firstDay),
  };
}
