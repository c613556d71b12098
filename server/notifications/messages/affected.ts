import type { EventData, MaintenanceData } from './event';
import { componentNames } from './message';

const list = new Intl.ListFormat('en');

/** Returns the subject of a headline on one line, because names may contain line breaks. */
export function subjectOf({ monitor, incident }: EventData): string {
  return (monitor?.name ?? incident?.title ?? 'An incident').replace(/\s+/g, ' ').trim();
}

/** Returns the names of the affected monitors, if there are several, and of the components that the incident affects. */
export function affectedNames({ incident, monitorNames = [] }: EventData): string[] {
  return [...new Set([...monitorNames, ...(incident ? componentNames(incident) : [])])];
}

const withRest = (names: string[], more: number) =>
  more > 0 ? [...names, `${more} more ${more === 1 ? 'monitor' : 'monitors'}`] : names;

/** Returns "Checkout API, Orders and 3 more monitors"; null for an incident that names nothing but its monitor. */
export function affectedLine(data: EventData): string | null {
  const { monitorNames, incident } = data;
  const ids = incident && 'monitorIds' in incident && Array.isArray(incident.monitorIds) ? incident.monitorIds : [];
  const all = withRest(affectedNames(data), monitorNames ? ids.length - monitorNames.length : 0);
  return all.length === 0 ? null : list.format(all);
}

/** Returns the monitors of a maintenance window: "A, B and 3 more monitors"; null without any. */
export function affectedMonitors({ monitorNames, monitorCount }: MaintenanceData): string | null {
  return monitorCount === 0 ? null : list.format(withRest(monitorNames, monitorCount - monitorNames.length));
}
