import { daysSentence, utcDay } from '@/app/_components/charts/day-words';
import type { State } from '@/app/_components/status/states';
import type { Component, Overall, PublicIncident, PublicUpdate } from '@/server/status-pages/schema';

/** The status of a component in Statuspage's words. */
export const componentWords: Record<State, string> = {
  up: 'Operational',
  degraded: 'Degraded performance',
  down: 'Major outage',
  maintenance: 'Under maintenance',
  unknown: 'Unknown',
  paused: 'Paused',
  pending: 'No data yet',
};

/** The icon and color of the overall status. */
export const overallStates: Record<Overall, State> = {
  operational: 'up',
  degraded: 'degraded',
  down: 'down',
  maintenance: 'maintenance',
  unknown: 'unknown',
};

/** The label of an incident update. */
export const updateWords: Record<PublicUpdate['kind'], string> = {
  opened: 'Investigating.',
  acknowledged: 'Identified.',
  resolved: 'Resolved.',
  note: 'Update.',
  reopened: 'Reopened.',
};

/** The label of an incident's status. */
export const incidentWords: Record<PublicIncident['status'], string> = {
  open: 'Investigating',
  acknowledged: 'Identified',
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

/** The text alternative of a bar: "Checkout, last 90 days: down on 3 days, no data before 9 September". */
export function barSentence({ name, days }: Pick<Component, 'name' | 'days'>, now?: number): string {
  return `${name}, ${daysSentence(days, now)}`;
}
