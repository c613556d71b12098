import { z } from 'zod';
import { IncidentSeverity } from '@/server/monitor-types/schema';
import { EventType } from '../schema';

/** An incident in a message. Deliveries store the whole REST object; these are the fields that texts use. */
const IncidentData = z.looseObject({
  id: z.string(),
  type: z.string(),
  /** The status at the time of the event. Missing in deliveries of earlier versions. */
  status: z.string().optional(),
  severity: IncidentSeverity.optional(),
  title: z.string().nullish(),
  cause: z.string().nullish(),
  /** The components of status pages that the incident names. Missing in deliveries of earlier versions. */
  components: z.array(z.looseObject({ name: z.string() })).optional(),
  startedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullish(),
});

/** A monitor in a message: as REST returns it, without the config. */
const MonitorData = z.looseObject({ id: z.string(), name: z.string() });

/** Why an incident ended: the monitor recovered, another incident replaced it, a user resolved it, or the monitor was paused or deleted. */
export const Resolution = z.enum(['recovered', 'superseded', 'manual', 'paused', 'deleted']);
export type Resolution = z.infer<typeof Resolution>;

/** An occurrence of a maintenance window in a message. */
const MaintenanceData = z.looseObject({
  id: z.string(),
  title: z.string(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** The names of affected monitors, at most 20, and the number of all. */
  monitorNames: z.array(z.string()),
  monitorCount: z.int(),
});
export type MaintenanceData = z.infer<typeof MaintenanceData>;
/** The current step of an escalation, counted from 1, and whom it notifies. */
export const Escalated = z.object({
  policy: z.string(),
  step: z.int(),
  steps: z.int(),
  /** The current round of the steps, counted from 1. */
  round: z.int(),
  /** The notified person; null in messages to a channel of the team. */
  person: z.string().nullable(),
});

/** The subject of an event, and the `data` of a webhook's body. */
export const EventData = z.looseObject({
  incident: IncidentData.nullable(),
  monitor: MonitorData.nullable(),
  /** For an incident with several monitors: their names, at most 20, the first monitor first. */
  monitorNames: z.array(z.string()).optional(),
  /** For `maintenance.…`. */
  maintenance: MaintenanceData.optional(),
  /** For `incident.resolved`. */
  resolution: Resolution.optional(),
  /** The user who acknowledged, resolved or reopened the incident. */
  actor: z.string().optional(),
  /** For `channel.*`. */
  channel: z.looseObject({ id: z.string(), name: z.string() }).optional(),
  /** For `channel.failing` and `channel.recovered`: when its messages began to fail, and the last error. */
  failingSince: z.iso.datetime().optional(),
  error: z.string().optional(),
  /** For `incident.escalated`. */
  escalation: Escalated.optional(),
});
export type EventData = z.infer<typeof EventData>;

/** The content of a delivery row, and the body of a webhook. */
export const EventPayload = z.object({ type: EventType, timestamp: z.iso.datetime(), data: EventData });
export type EventPayload = z.infer<typeof EventPayload>;

/** An event to notify channels of. */
export interface NotifiableEvent {
  teamId: string;
  /** The monitors whose channels are notified; if missing or empty, every channel of the team is. */
  monitorIds?: string[];
  incidentId?: string;
  event: Exclude<EventType, 'channel.failing' | 'channel.recovered' | 'channel.test'>;
  /** Identifies the event: a channel gets one message for it, even if it is enqueued again. */
  eventKey: string;
  data: EventData;
  /** Notifies only channels whose receivers keep a copy of each incident, because people are notified of another event instead. */
  isForMirrors?: boolean;
}
