import type { State } from '@/app/_components/states';
import type { Component, Overall, PublicIncident, PublicUpdate } from '@/server/status-pages/schema';

const dayMs = 86_400_000;

/** What a component's state is called to customers. */
export const componentWords: Record<State, string> = {
  up: 'Works',
  degraded: 'Degraded',
  down: 'Down',
  maintenance: 'Maintenance',
  unknown: 'Unknown',
  paused: 'Not watched',
  pending: 'Not checked yet',
};

/** The glyph and colour of the page as a whole. */
export const overallStates: Record<Overall, State> = {
  operational: 'up',
  degraded: 'degraded',
  down: 'down',
  maintenance: 'maintenance',
  unknown: 'unknown',
};

/** What a line of an incident's story begins with. */
export const updateWords: Record<PublicUpdate['kind'], string> = {
  opened: 'Noticed.',
  acknowledged: 'Acknowledged.',
  resolved: 'Resolved.',
  note: 'Update.',
};

/** What an incident is called in a badge. */
export const incidentWords: Record<PublicIncident['status'], string> = {
  open: 'Open',
  acknowledged: 'Being worked on',
  resolved: 'Resolved',
};

function format(at: string | number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(at));
}

/** A day in UTC: "17 November", with the year where it is not the present one's. */
export function utcDay(at: string | number, now = Date.now()): string {
  const isThisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  return format(at, { day: 'numeric', month: 'long', ...(!isThisYear && { year: 'numeric' }) });
}

/** A time of day in UTC: "03:07 UTC". */
export function utcTime(at: string): string {
  return `${format(at, { hour: '2-digit', minute: '2-digit' })} UTC`;
}

/** A moment in UTC: "17 November, 03:07 UTC". */
export function utcMoment(at: string, now?: number): string {
  return `${utcDay(at, now)}, ${utcTime(at)}`;
}

/** A time of day to the second, in UTC: "03:07:12 UTC". */
export function utcSecond(at: string): string {
  return `${format(at, { hour: '2-digit', minute: '2-digit', second: '2-digit' })} UTC`;
}

const told: [State, string][] = [
  ['down', 'down'],
  ['degraded', 'degraded'],
  ['unknown', 'unknown'],
  ['maintenance', 'under maintenance'],
];

/** What a bar says to those who do not see it: "Checkout, last 90 days: down on 3 days, no data before 9 September". */
export function barSentence({ name, days }: Pick<Component, 'name' | 'days'>, now = Date.now()): string {
  const parts = told.flatMap(([state, word]) => {
    const count = days.filter((day) => day === state).length;
    return count > 0 ? [`${word} on ${count} ${count === 1 ? 'day' : 'days'}`] : [];
  });
  const first = days.findIndex((day) => day !== null && day !== 'pending' && day !== 'paused');
  if (first === -1) return `${name}, last 90 days: no data`;
  if (parts.length === 0) parts.push(first === 0 ? 'up throughout' : 'up');
  if (first > 0) parts.push(`no data before ${utcDay(now - (days.length - 1 - first) * dayMs, now)}`);
  return `${name}, last 90 days: ${parts.join(', ')}`;
}
