import { env } from '@/server/platform/env';
import type { EventData } from './event';

/** The dashboard pages of an event's subject; null where the event has no such subject. */
export interface Links {
  incident: string | null;
  monitor: string | null;
  /** Only of events about maintenance. */
  maintenance?: string;
}

/** Returns the links to an event's subject, at the instance's current URL. */
export function linksOf({
  incident,
  monitor,
  maintenance,
}: Pick<EventData, 'incident' | 'monitor' | 'maintenance'>): Links {
  return {
    ...(maintenance && { maintenance: `${env.appUrl}/maintenance/${maintenance.id}` }),
    incident: incident && `${env.appUrl}/incidents/${incident.id}`,
    monitor: monitor && `${env.appUrl}/monitors/${monitor.id}`,
  };
}
