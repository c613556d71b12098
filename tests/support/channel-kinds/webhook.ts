import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { JSON_TYPE, type KindSpec } from './spec';

const SECRET = 'webhook-secret-phrase';
const verifier = new Webhook(Buffer.from(SECRET), { format: 'raw' });

/** Standard Webhooks, which does not define the receiver's response. */
export const webhook: KindSpec<'webhook'> = {
  config: (url) => ({ url: `${url}/hook?key=url-secret`, secret: SECRET }),
  secrets: ['url-secret', SECRET],
  request: /^POST \/hook\?key=url-secret$/,
  headers: {
    ...JSON_TYPE,
    'webhook-id': /^[0-9A-Z]{26}$/,
    'webhook-timestamp': /^\d{10}$/,
    'webhook-signature': /^v1,[A-Za-z0-9+/]{43}=/,
  },
  // Throws unless a signature is right.
  read: ({ body, headers }) => verifier.verify(body, headers as Record<string, string>),
  body: z.strictObject({ type: z.string(), timestamp: z.iso.datetime(), data: z.looseObject({}) }),
  good: { status: 204 },
  text: (body: object) => JSON.stringify(body),
  markup: 'plain',
  failure: (status, body) => ({ status, body }),
  permanent: [410],
  passing: [500, 503],
  throttled: { answer: { status: 429, headers: { 'retry-after': '17' } }, seconds: 17 },
  severities: {
    of: ({ body }) => JSON.parse(body).data.incident.severity,
    critical: 'critical',
    warning: 'warning',
    minor: 'minor',
  },
  actions: {
    of: (request) => (JSON.parse(request.body) as { type: string }).type,
    opened: 'incident.opened',
    acknowledged: 'incident.acknowledged',
    resolved: 'incident.resolved',
  },
};
