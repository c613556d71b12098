import { z } from 'zod';
import { IncidentSeverity } from '@/server/monitor-types/schema';
import { EventType } from './schema';

/** An incident in a message. All fields that REST returns are stored; these are used in texts. */
const IncidentData = z.looseObject({
  id: z.string(),
  type: z.string(),
  /** At the time of the event. Deliveries of earlier versions do not say. */
  status: z.string().optional(),
  severity: IncidentSeverity.optional(),
  title: z.string().nullish(),
  cause: z.string().nullish(),
  /** The components of status pages that it names. Deliveries of earlier versions do not say. */
  components: z.array(z.looseObject({ name: z.string() })).optional(),
  startedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullish(),
});

/** A monitor in a message: as REST returns it, without the config. */
const MonitorData = z.looseObject({ id: z.string(), name: z.string() });

/**
 * How an incident ended: the checks show that it is over, another incident took its place, somebody resolved it by hand, or
 * its monitor was paused or deleted.
 */
export const Resolution = z.enum(['recovered', 'superseded', 'manual', 'paused', 'deleted']);
export type Resolution = z.infer<typeof Resolution>;

/** An occurrence of a maintenance window in a message. */
const MaintenanceData = z.looseObject({
  id: z.string(),
  title: z.string(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** The names of monitors that it covers, at most 20, and how many it covers. */
  monitorNames: z.array(z.string()),
  monitorCount: z.int(),
});
export type MaintenanceData = z.infer<typeof MaintenanceData>;
/** The step of an escalation, counted from 1, and whom it notifies. */
export const Escalated = z.object({
  policy: z.string(),
  step: z.int(),
  steps: z.int(),
  /** How often the steps have been gone through, this time included. */
  round: z.int(),
  /** Null in messages to a channel of the team. */
  person: z.string().nullable(),
});

/** The subject of an event, and the `data` of a webhook's body. */
export const EventData = z.looseObject({
  incident: IncidentData.nullable(),
  monitor: MonitorData.nullable(),
  /** Of an incident with several monitors: their names, at most 20, its own first. */
  monitorNames: z.array(z.string()).optional(),
  /** Of `maintenance.…`. */
  maintenance: MaintenanceData.optional(),
  /** Of `incident.resolved`. */
  resolution: Resolution.optional(),
  /** Who acknowledged, resolved or reopened it by hand. */
  actor: z.string().optional(),
  /** The subject of `channel.*`. */
  channel: z.looseObject({ id: z.string(), name: z.string() }).optional(),
  /** Of `channel.failing` and `channel.recovered`: since when its messages failed, and why the last one did. */
  failingSince: z.iso.datetime().optional(),
  error: z.string().optional(),
  /** Of `incident.escalated`. */
  escalation: Escalated.optional(),
});
export type EventData = z.infer<typeof EventData>;

/** The content of a delivery row, and the body of a webhook. */
export const EventPayload = z.object({ type: EventType, timestamp: z.iso.datetime(), data: EventData });
export type EventPayload = z.infer<typeof EventPayload>;

/** An event to notify channels of. */
export interface NotifiableEvent {
  teamId: string;
  /** The monitor whose channels are notified; without one, every channel of the team. */
  monitorId?: string;
  incidentId?: string;
  event: Exclude<EventType, 'channel.failing' | 'channel.recovered' | 'channel.test'>;
  /** Identifies the event: a channel gets one message for it, however often it is enqueued. */
  eventKey: string;
  data: EventData;
  /** Only for channels whose receivers keep a copy of each incident: people are notified of another event instead. */
  isForMirrors?: boolean;
}
