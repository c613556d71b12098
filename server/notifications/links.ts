import { env } from '@/server/platform/env';
import type { EventData } from './event';

/** The dashboard pages of an event's subject; null without one. */
export interface Links {
  incident: string | null;
  monitor: string | null;
}

/** Links to an event's subject, at the instance's current URL. */
export function linksOf({ incident, monitor }: Pick<EventData, 'incident' | 'monitor'>): Links {
  return {
    incident: incident && `${env.appUrl}/incidents/${incident.id}`,
    monitor: monitor && `${env.appUrl}/monitors/${monitor.id}`,
  };
}
