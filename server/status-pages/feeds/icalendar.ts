import { toCalendar } from '@/server/text/icalendar';
import type { PublicMaintenance, PublicStatusPage } from '../schema';

/** Returns the page's maintenance windows as an iCalendar stream (RFC 5545), one event for each occurrence. */
export function calendar(page: PublicStatusPage): string {
  const windows = [...page.pastMaintenances.toReversed(), ...page.maintenances];
  const events = windows.map((window: PublicMaintenance) => {
    const affected = new Set(window.componentIds);
    const names = page.components.filter(({ id }) => affected.has(id)).map(({ name }) => name);
    return { ...window, description: `Affects ${names.join(', ')}.`, url: page.url };
  });
  return toCalendar({ kind: 'Maintenance', name: `${page.title}: maintenance` }, events);
}
