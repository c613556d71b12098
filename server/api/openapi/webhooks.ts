import { z } from 'zod';
import { createSchema } from 'zod-openapi';
import { incident } from '@/server/incidents/docs';
import { Incident } from '@/server/incidents/schema';
import { Monitor } from '@/server/monitor-types/schema';
import { monitor } from '@/server/monitors/docs';
import { channel } from '@/server/notifications/docs';
import { Escalated } from '@/server/notifications/messages/event';
import { WebhookEvent } from '@/server/notifications/schema';
import { env } from '@/server/platform/env';
import { webhookHeaders } from './shared-parts';
import { tidyNamed } from './tidy';
import type { Document, OperationObject, Schema } from './types';
import { capitalised } from './unions';

const EventMonitor = Monitor.omit({ config: true }).meta({
  id: 'EventMonitor',
  description: 'A monitor without its config.',
});

const links = z
  .object({ incident: z.url().nullable(), monitor: z.url().nullable() })
  .meta({ description: 'The related pages of the dashboard.' });

function body<Type extends WebhookEvent>(type: Type, data: z.ZodType) {
  return z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: 'The time of the event, the same on every attempt.' }),
    data,
  });
}

const ofIncident = z.object({
  incident: Incident,
  monitor: EventMonitor.nullable(),
  monitorNames: z
    .array(z.string())
    .optional()
    .meta({ description: 'Of an incident with several monitors: their names, at most 20.' }),
  links,
});
const ofMaintenance = z.object({
  incident: z.null(),
  monitor: z.null(),
  maintenance: z
    .object({
      id: z.string(),
      title: z.string(),
      startsAt: z.iso.datetime(),
      endsAt: z.iso.datetime(),
      monitorNames: z.array(z.string()).meta({ description: 'At most 20.' }),
      monitorCount: z.int(),
    })
    .meta({ description: 'An occurrence of a maintenance window.' }),
  links: links.extend({ maintenance: z.url() }),
});
const ofEscalation = ofIncident.extend({
  escalation: Escalated.meta({
    description: 'The step, counted from 1. `person` is null in messages to a channel of the team.',
  }),
});
const ofTest = z.object({
  incident: z.null(),
  monitor: z.null(),
  channel: z.object({ id: z.string(), type: z.string(), name: z.string() }),
  links,
});
const ofChannel = ofTest.extend({
  failingSince: z.iso.datetime().meta({ description: 'The first failed attempt.' }),
  error: z.string().meta({ description: 'Why the last attempt failed.' }),
});

/** The payloads sent to a channel of type webhook, by event. */
export const webhookBodies = {
  'incident.opened': body('incident.opened', ofIncident),
  'incident.acknowledged': body('incident.acknowledged', ofIncident),
  'incident.resolved': body('incident.resolved', ofIncident),
  'incident.escalated': body('incident.escalated', ofEscalation),
  'incident.reopened': body('incident.reopened', ofIncident),
  'monitor.certificate_expiring': body('monitor.certificate_expiring', ofIncident),
  'maintenance.upcoming': body('maintenance.upcoming', ofMaintenance),
  'maintenance.started': body('maintenance.started', ofMaintenance),
  'maintenance.ended': body('maintenance.ended', ofMaintenance),
  'maintenance.cancelled': body('maintenance.cancelled', ofMaintenance),
  'channel.failing': body('channel.failing', ofChannel),
  'channel.recovered': body('channel.recovered', ofChannel),
  'channel.test': body('channel.test', ofTest),
} satisfies Record<WebhookEvent, z.ZodType>;

const at = incident.startedAt;
const { config: _config, ...eventMonitor } = monitor;
const exampleLinks = {
  incident: `${env.appUrl}/incidents/${incident.id}`,
  monitor: `${env.appUrl}/monitors/${monitor.id}`,
};
const example = { incident, monitor: { ...eventMonitor, status: 'down' }, links: exampleLinks };
const maintenance = {
  incident: null,
  monitor: null,
  maintenance: {
    id: '01KANZ5A2B4C6D8E0F2G4H6J8K',
    title: 'New router',
    startsAt: '2027-01-02T03:00:00.000Z',
    endsAt: '2027-01-02T05:00:00.000Z',
    monitorNames: [monitor.name],
    monitorCount: 1,
  },
  links: { incident: null, monitor: null, maintenance: `${env.appUrl}/maintenance/01KANZ5A2B4C6D8E0F2G4H6J8K` },
};
const resolvedAt = '2026-11-20T03:21:40.000Z';

const aboutChannel = {
  incident: null,
  monitor: null,
  channel: { id: channel.id, type: channel.type, name: channel.name },
  links: { incident: null, monitor: null },
};

const described: Record<WebhookEvent, { summary: string; description: string; data: Record<string, unknown> }> = {
  'incident.opened': {
    summary: 'An incident was opened',
    description: 'A monitor was confirmed down or degraded, or someone created an incident.',
    data: example,
  },
  'incident.acknowledged': {
    summary: 'An incident was acknowledged',
    description: 'Someone acknowledged the incident.',
    data: { ...example, incident: { ...incident, status: 'acknowledged' } },
  },
  'incident.resolved': {
    summary: 'An incident was resolved',
    description: 'The monitor recovered, or someone resolved the incident.',
    data: {
      ...example,
      incident: { ...incident, status: 'resolved', resolvedAt },
      monitor: { ...example.monitor, status: 'up' },
    },
  },
  'incident.escalated': {
    summary: 'A step of an escalation began',
    description:
      'Nobody has acknowledged the incident yet. Sent to the channels that a step of its escalation policy names.',
    data: { ...example, escalation: { policy: 'Payments', step: 2, steps: 3, round: 1, person: null } },
  },
  'incident.reopened': {
    summary: 'An incident was reopened',
    description: 'Someone reopened a resolved incident. `incident.resolved` follows again.',
    data: { ...example, monitor: { ...example.monitor, status: 'up' } },
  },
  'monitor.certificate_expiring': {
    summary: 'A certificate expires soon',
    description: 'Sent once per certificate. `incident.resolved` follows when the certificate is replaced.',
    data: {
      ...example,
      incident: { ...incident, type: 'certificate', title: null, cause: 'The certificate expires in 13 days' },
      monitor: eventMonitor,
    },
  },
  'maintenance.upcoming': {
    summary: 'Maintenance starts soon',
    description: 'Sent `announceHours` before the start, if the window has `notifiesChannels`.',
    data: maintenance,
  },
  'maintenance.started': {
    summary: 'Maintenance started',
    description: 'Sent at the start, if the window has `notifiesChannels`.',
    data: maintenance,
  },
  'maintenance.ended': {
    summary: 'Maintenance ended',
    description: 'Sent at the end, also if the window was ended early, moved or deleted while it ran.',
    data: maintenance,
  },
  'maintenance.cancelled': {
    summary: 'Maintenance cancelled',
    description:
      'Sent after `maintenance.upcoming` if the occurrence is skipped, or its window moved or deleted before the start.',
    data: maintenance,
  },
  'channel.failing': {
    summary: 'Another channel is failing',
    description:
      'Sent to the fallback of a channel whose messages are not delivered. The messages themselves follow, each with its own event.',
    data: { ...aboutChannel, failingSince: at, error: 'Slack answered 404: no_service' },
  },
  'channel.recovered': {
    summary: 'Another channel delivers again',
    description: 'Sent to the fallback that was notified of the failure.',
    data: { ...aboutChannel, failingSince: at, error: 'Slack answered 404: no_service' },
  },
  'channel.test': {
    summary: 'A test message',
    description: 'Sent when someone tests the channel.',
    data: aboutChannel,
  },
};

/** Converts an event to a schema name: "incident.opened" → "IncidentOpened", "monitor.certificate_expiring" → "MonitorCertificateExpiring". */
function nameOf(type: WebhookEvent): string {
  return type
    .split(/[._]/)
    .map((part) => capitalised(part))
    .join('');
}

function operation(type: WebhookEvent): OperationObject {
  const { summary, description, data } = described[type];
  const name = nameOf(type);
  return {
    operationId: `on${name}`,
    summary,
    description: `${description}\n\nSigned according to Standard Webhooks. Responses other than 2xx are retried for a day with the same \`webhook-id\`; 410 stops retries.`,
    tags: ['Webhooks'],
    security: [],
    parameters: Object.keys(webhookHeaders).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${name}Event` },
          example: { type, timestamp: at, data },
        },
      },
    },
    responses: {
      '2XX': { description: 'The message was received.' },
      '4XX': { description: 'Retried later, except after 410.' },
    },
  };
}

/** Adds the webhooks to the document, each with a named schema for its body. */
export function addWebhooks(document: Document): void {
  const { schemas, parameters } = document.components;
  for (const type of WebhookEvent.options) {
    const { schema, components } = createSchema(webhookBodies[type], { io: 'output', openapiVersion: '3.1.0' });
    const named = { ...components, [`${nameOf(type)}Event`]: schema } as Record<string, Schema>;
    for (const [name, component] of Object.entries(named)) {
      tidyNamed(component, true);
      schemas[name] ??= component;
    }
  }
  Object.assign(parameters, webhookHeaders);
  document.webhooks = Object.fromEntries(WebhookEvent.options.map((type) => [type, { post: operation(type) }]));
}
