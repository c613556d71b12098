import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Alert = z.strictObject({
  message: z.string().min(1).max(130),
  alias: z.string().max(512),
  description: z.string().max(15_000),
  source: z.string().max(100),
  priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']),
  entity: z.string().max(512),
  details: z.record(z.string(), z.string()),
});
const Change = z.strictObject({ source: z.string().max(100), user: z.string().max(100), note: z.string().max(25_000) });

/** The Alert API of Opsgenie, at the host of the service region. */
export const opsgenie: KindSpec<'opsgenie'> = {
  config: () => ({ apiKey: 'opsgenie-secret-key', region: 'eu' }),
  secrets: ['opsgenie-secret-key'],
  request:
    /^POST \/api\.eu\.opsgenie\.com\/v2\/alerts(\/(i1|01KACV6T3Q0{16})\/(acknowledge|close)\?identifierType=alias)?$/,
  headers: { ...JSON_TYPE, authorization: /^GenieKey opsgenie-secret-key$/ },
  read: readJson,
  body: z.union([Alert, Change]),
  good: json(202, { result: 'Request will be processed', took: 0.3, requestId: 'r1' }),
  text: ({ message, description, note }: { message?: string; description?: string; note?: string }) =>
    note ?? `${message}\n${description}`,
  markup: 'plain',
  // The headers of the limit come with every answer.
  failure: (status, message) =>
    json(
      status,
      { message, took: 0.1, requestId: 'r2' },
      { 'x-ratelimit-state': 'OK', 'x-ratelimit-period-in-sec': '60' },
    ),
  permanent: [401, 403, 422],
  passing: [500, 503],
  throttled: {
    answer: json(
      429,
      { message: 'You are making too many requests!', requestId: 'r3' },
      { 'x-ratelimit-state': 'THROTTLED', 'x-ratelimit-reason': 'ACCOUNT', 'x-ratelimit-period-in-sec': '60' },
    ),
    seconds: 60,
  },
  severities: {
    of: ({ body }) => (JSON.parse(body) as z.infer<typeof Alert>).priority,
    critical: 'P1',
    warning: 'P3',
    minor: 'P5',
  },
  actions: {
    of: ({ path }) => path.split(/\/v2|\?/)[1],
    opened: '/alerts',
    acknowledged: '/alerts/i1/acknowledge',
    resolved: '/alerts/i1/close',
  },
};
