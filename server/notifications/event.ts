import { z } from 'zod';
import { EventType } from './schema';

/** An incident in a message. All fields that REST returns are stored; these are used in texts. */
const IncidentData = z.looseObject({
  id: z.string(),
  type: z.string(),
  title: z.string().nullish(),
  cause: z.string().nullish(),
  startedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullish(),
});

/** A monitor in a message: as REST returns it, without the config. */
const MonitorData = z.looseObject({ id: z.string(), name: z.string() });

/** The subject of an event, and the `data` of a webhook's body. */
export const EventData = z.looseObject({ incident: IncidentData.nullable(), monitor: MonitorData.nullable() });
export type EventData = z.infer<typeof EventData>;

/** The content of a delivery row, and the body of a webhook. */
export const EventPayload = z.object({ type: EventType, timestamp: z.iso.datetime(), data: EventData });
export type EventPayload = z.infer<typeof EventPayload>;
