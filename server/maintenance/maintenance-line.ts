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

/** The line with another end of its period. */
export const withEnd = (line: string, endsAt: Date): string =>
  line.replace(/ until \S+ \S+ UTC\.$/, ` until ${stamp(endsAt)}.`);

/** What the keys of these lines start with. */
export const MAINTENANCE_KEY = 'maintenance:';

/** The period that a key names. */
export function periodOfKey(key: string): Pick<NamedPeriod, 'windowId' | 'startsAt'> {
  const [, windowId = '', startsAt = ''] = /^maintenance:([^:]*):(.*)$/.exec(key) ?? [];
  return { windowId, startsAt: new Date(startsAt) };
}

/** The key of an incident's timeline entry about a period that holds it, so that there is one per period. */
export const maintenanceKey = ({ windowId, startsAt }: Pick<NamedPeriod, 'windowId' | 'startsAt'>): string =>
  `${MAINTENANCE_KEY}${windowId}:${startsAt.toISOString()}`;
