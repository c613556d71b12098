import type { State } from '@/app/_components/states';
import type { Tick } from './bars';

const dayMs = 86_400_000;

/** A day in UTC: "17 November", with the year where it is not the present one's; `month` as in Intl. */
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
 * What bars of a day each, the last one today, say to those who do not see them: "last 90 days: down on 3 days, no data
 * before 9 September".
 */
export function daysSentence(days: Tick[], now = Date.now()): string {
  const parts = told.flatMap(([state, word]) => {
    const count = days.filter((day) => day === state).length;
    return count > 0 ? [`${word} on ${count} ${count === 1 ? 'day' : 'days'}`] : [];
  });
  const period = `last ${days.length} days`;
  const first = days.findIndex((day) => day !== null && day !== 'pending' && day !== 'paused');
  if (first === -1) return `${period}: no data`;
  if (parts.length === 0) parts.push(first === 0 ? 'up throughout' : 'up');
  if (first > 0) parts.push(`no data before ${utcDay(now - (days.length - 1 - first) * dayMs, now)}`);
  return `${period}: ${parts.join(', ')}`;
}
