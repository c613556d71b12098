import type { Schema } from './types';

const integer = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

export const responseHeaders = {
  'x-request-id': {
    description: "The request's id, which the log has too. Name it when you ask for help.",
    schema: { type: 'string' },
  },
  'ratelimit-limit': integer('Requests in a minute this credential, else this address, may make.'),
  'ratelimit-remaining': integer('How many of them are left.'),
  'ratelimit-reset': integer('Seconds until the count begins anew.'),
  'retry-after': integer('Seconds until another try makes sense.'),
  'idempotency-replayed': {
    description: '`true` where this is the kept answer of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
};

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a retry safe: within 24 hours a request with the same key and body gets the answer of the first one, and nothing is done twice. Another body under the same key is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '5f0c6a3e-2d0f-4a5a-9d39-6a1f5a0c2f11',
};

/** The headers of every webhook, as https://www.standardwebhooks.com has them. */
export const webhookHeaders = {
  'webhook-id': {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Names the message: the same on every attempt.',
    schema: { type: 'string' },
  },
  'webhook-timestamp': {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in seconds since 1970.',
    schema: { type: 'string' },
  },
  'webhook-signature': {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description: '`v1,` and the base64 HMAC-SHA256 of "id.timestamp.body" under the secret of the channel.',
    schema: { type: 'string' },
  },
};

export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'uw_…',
    description:
      'An API key of a team, made under Settings → API keys. It does what its scopes and its creator may do.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "A person's access token, from `POST /auth/login`. It lasts 15 minutes; `POST /auth/refresh` gets the next.",
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'upwatch.session',
    description: "The dashboard's session cookie over http. Requests that another site causes are refused.",
  },
  secureSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Secure-upwatch.session',
    description: 'The same cookie over https.',
  },
};

/** What the tags are about, in the document's order. */
export const tags: Record<string, string> = {
  Monitors: 'What is watched: create, change, look at checks and uptime.',
  'Monitors in the dashboard': 'The same for people, by their access token or cookie.',
  Incidents: 'What happened, and what people say about it.',
  'Maintenance windows': 'Planned work.',
  'Notification channels': 'Where messages go.',
  'Status pages': 'What customers see.',
  Auth: 'Accounts, sessions and invitations.',
  Team: 'Members, roles and invitations.',
  'API keys': 'Credentials for scripts.',
  Billing: 'Plans, usage and payment.',
  'Audit log': 'Who changed what.',
  Administration: 'For administrators of the instance.',
  Webhooks: 'What a channel of type `webhook` is sent.',
};

export const description = `Everything the dashboard does, a script can do: each of its actions is an operation here.

**Credentials.** Send \`Authorization: Bearer <key>\`. Addresses under \`/api/v1\` take an API key or a person's access token: monitors, incidents,
exclusions and maintenance windows. All others (channels, status pages, the team, billing) take an access token or the dashboard's cookie, never a key.

**Errors** have one shape: \`{"error": {"code", "message", "status", "issues"?}}\`. \`issues\` comes with \`VALIDATION_ERROR\` and says which field is
wrong. JSON types are strict: \`"false"\` is no boolean. Fields and query parameters that an operation does not know are refused, with the nearest one it
knows. No object has a name twice, and a body does not contradict its address. Another team's things are \`NOT_FOUND\`.

**Lists** take \`limit\` (1–100) and \`cursor\`, and answer \`nextCursor\`, null on the last page.

**Retries.** Send an \`Idempotency-Key\` with a POST, and nothing is done twice. \`PUT /api/v1/monitors/by-external-id/{externalId}\` creates or updates by your
own ID for a monitor, and a repetition changes nothing. A monitor that was read may be sent back whole.

**Limits.** Every counted answer carries \`ratelimit-limit\`, \`ratelimit-remaining\` and \`ratelimit-reset\`; over the limit the answer is 429 with \`retry-after\`.

**Metrics.** \`GET /api/v1/metrics\` answers a key of the scope \`read\` with status and latency of each monitor of its team, in Prometheus' text format.`;

/** The schema of an error with one of these codes. */
export function errorSchema(codes: string[]): Schema {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        properties: {
          code: { type: 'string', enum: codes },
          message: { type: 'string', description: 'For people; it may change.' },
          status: { type: 'integer', description: 'The HTTP status.' },
          issues: {
            type: 'array',
            description: 'With VALIDATION_ERROR alone: what is wrong with which field.',
            items: {
              type: 'object',
              required: ['path', 'message'],
              properties: {
                path: { type: 'string', description: 'The field, dotted; empty for the whole body.' },
                message: { type: 'string' },
              },
            },
          },
        },
      },
    },
  };
}
