import { daysSentence, utcDay } from '@/app/_components/charts/day-words';
import type { State } from '@/app/_components/states';
import type { Component, Overall, PublicIncident, PublicUpdate } from '@/server/status-pages/schema';

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

/** What a bar says to those who do not see it: "Checkout, last 90 days: down on 3 days, no data before 9 September". */
export function barSentence({ name, days }: Pick<Component, 'name' | 'days'>, now?: number): string {
  return `${name}, ${daysSentence(days, now)}`;
}
