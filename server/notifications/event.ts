import { z } from 'zod';
import { EventType } from './schema';

/** What a message says of an incident. Everything REST returns of it is kept; these fields are what the texts use. */
const IncidentData = z.looseObject({
  id: z.string(),
  type: z.string(),
  title: z.string().nullish(),
  cause: z.string().nullish(),
  startedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullish(),
});

/** What a message says of a monitor: as REST returns it, config left out. */
const MonitorData = z.looseObject({ id: z.string(), name: z.string() });

/** What an event is about, and the `data` of a webhook's body. */
export const EventData = z.looseObject({ incident: IncidentData.nullable(), monitor: MonitorData.nullable() });
export type EventData = z.infer<typeof EventData>;

/** What a delivery row keeps, and the whole body of a webhook. */
export const EventPayload = z.object({ type: EventType, timestamp: z.iso.datetime(), data: EventData });
export type EventPayload = z.infer<typeof EventPayload>;
