import { env } from '@/server/platform/env';
import type { EventData } from './event';

/** The dashboard's pages about what an event is about; null where it is about none. */
export interface Links {
  incident: string | null;
  monitor: string | null;
}

/** Links to what an event is about, on the address the instance has now. */
export function linksOf({ incident, monitor }: Pick<EventData, 'incident' | 'monitor'>): Links {
  return {
    incident: incident && `${env.appUrl}/incidents/${incident.id}`,
    monitor: monitor && `${env.appUrl}/monitors/${monitor.id}`,
  };
}
