import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const KEY = 'e93facc04764012d7bfb002500d5d1a6';
const Event = z.strictObject({
  routing_key: z.literal(KEY),
  event_action: z.enum(['trigger', 'acknowledge', 'resolve']),
  dedup_key: z.string().min(1).max(255),
  client: z.string(),
  client_url: z.url(),
  links: z.array(z.strictObject({ href: z.url(), text: z.string() })),
  payload: z.strictObject({
    summary: z.string().min(1).max(1024),
    source: z.string().min(1),
    severity: z.enum(['critical', 'error', 'warning', 'info']),
    timestamp: z.iso.datetime(),
    class: z.string(),
    custom_details: z.looseObject({ details: z.string() }),
  }),
});

/** The Events API v2 of PagerDuty, at the host of the service region. An event may have 512 KB. */
export const pagerduty: KindSpec<'pagerduty'> = {
  config: () => ({ routingKey: KEY, region: 'eu' }),
  secrets: [KEY],
  request: /^POST \/events\.eu\.pagerduty\.com\/v2\/enqueue$/,
  headers: JSON_TYPE,
  read: readJson,
  body: Event.refine((event) => Buffer.byteLength(JSON.stringify(event)) <= 512 * 1024),
  good: json(202, { status: 'success', message: 'Event processed', dedup_key: 'i1' }),
  text: ({ payload }: z.infer<typeof Event>) => `${payload.summary}\n${payload.custom_details.details}`,
  markup: 'plain',
  failure: (status, text) =>
    json(status, { status: 'invalid event', message: 'Event object is invalid', errors: [text] }),
  permanent: [400],
  passing: [500],
  throttled: {
    answer: json(
      429,
      { status: 'throttle exceeded', message: 'Requests for this service are arriving too quickly.' },
      { 'retry-after': '9' },
    ),
    seconds: 9,
  },
  severities: {
    of: ({ body }) => (JSON.parse(body) as z.infer<typeof Event>).payload.severity,
    critical: 'critical',
    warning: 'warning',
    minor: 'info',
  },
  actions: {
    of: (request) => {
      const { event_action, dedup_key } = JSON.parse(request.body) as z.infer<typeof Event>;
      return [event_action, dedup_key];
    },
    opened: ['trigger', 'i1'],
    acknowledged: ['acknowledge', 'i1'],
    resolved: ['resolve', 'i1'],
  },
};
