/** "2026-11-23 02:00:00 UTC" */
const stamp = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** A period of maintenance of a monitor; the title is null if its window was deleted. */
export interface NamedPeriod {
  windowId: string;
  title: string | null;
  startsAt: Date;
  endsAt: Date;
}

/** "In maintenance “Database upgrade” until 2026-11-23 02:00:00 UTC", for the timeline of an incident. */
export const maintenanceLine = ({ title, endsAt }: NamedPeriod): string =>
  `In maintenance${title === null ? '' : ` “${title}”`} until ${stamp(endsAt)}`;

/** Replaces the end time in a line that `maintenanceLine` made. */
export const withEnd = (line: string, endsAt: Date): string =>
  line.replace(/ until \S+ \S+ UTC\.$/, ` until ${stamp(endsAt)}.`);

/** The prefix of `maintenanceKey`. */
export const MAINTENANCE_KEY = 'maintenance:';

/** Parses a `maintenanceKey`. */
export function periodOfKey(key: string): Pick<NamedPeriod, 'windowId' | 'startsAt'> {
  const [, windowId = '', startsAt = ''] = /^maintenance:([^:]*):(.*)$/.exec(key) ?? [];
  return { windowId, startsAt: new Date(startsAt) };
}

/** Returns the `dedupeKey` of an incident's timeline entry about a maintenance period, so that there is at most one per period. */
export const maintenanceKey = ({ windowId, startsAt }: Pick<NamedPeriod, 'windowId' | 'startsAt'>): string =>
  `${MAINTENANCE_KEY}${windowId}:${startsAt.toISOString()}`;
