import type { Schema } from './types';

const integer = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

export const responseHeaders = {
  'x-request-id': {
    description: 'The request ID, which is also in the log. Include it when you report a problem.',
    schema: { type: 'string' },
  },
  'ratelimit-limit': integer(
    'The number of requests per minute allowed for this credential, or for this IP address without one.',
  ),
  'ratelimit-remaining': integer('The number of requests left in the current window.'),
  'ratelimit-reset': integer('Seconds until the window resets.'),
  'retry-after': integer('Seconds to wait before retrying.'),
  'idempotency-replayed': {
    description: '`true` if this is the stored response of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
};

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes retries safe: within 24 hours, a request with the same key and body returns the response of the first one and is not executed again. A different body with the same key is rejected. Up to 50,000 responses and 64 MiB are stored per team and day (UTC); above that, a request with a new key is rejected with 429 and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '5f0c6a3e-2d0f-4a5a-9d39-6a1f5a0c2f11',
};

/** The headers of every webhook, as defined by https://www.standardwebhooks.com. */
export const webhookHeaders = {
  'webhook-id': {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The ID of the message, the same on every attempt.',
    schema: { type: 'string' },
  },
  'webhook-timestamp': {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'The time of this attempt, in Unix seconds.',
    schema: { type: 'string' },
  },
  'webhook-signature': {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description: '`v1,` followed by the base64 HMAC-SHA256 of "id.timestamp.body" with the channel\'s secret.',
    schema: { type: 'string' },
  },
};

export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'uw_…',
    description:
      "A team's API key, created under Settings → API keys. It is limited by its scopes and by the role of its creator.",
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A user access token from `POST /auth/login`. It is valid for 15 minutes; `POST /auth/refresh` returns a new one.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'upwatch.session',
    description: "The dashboard's session cookie over http. Cross-origin requests are rejected.",
  },
  secureSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Secure-upwatch.session',
    description: 'The same cookie over https.',
  },
};

/** The descriptions of the tags, in the order of the document. */
export const tags: Record<string, string> = {
  Monitors: 'Create and manage monitors, and read their checks and uptime.',
  'Monitors in the dashboard': 'The same operations for users, with an access token or session cookie.',
  'Saved views': 'Views of the list of monitors that a team shares.',
  Incidents: 'Incidents and their updates.',
  'Maintenance windows': 'Scheduled maintenance.',
  'On-call':
    'Who is notified of an incident until somebody acknowledges it: schedules, escalation policies and the contact methods of members.',
  Imports: 'Files of other tools: upload, preview, import and undo.',
  'Calendar feeds': 'Secret addresses of calendars: of shifts and of maintenance.',
  'Notification channels': 'Destinations of notifications.',
  'Status pages': 'Public status pages.',
  Auth: 'Accounts, sessions and invitations.',
  Team: 'Members, roles and invitations.',
  'API keys': 'Credentials for scripts.',
  Agents: 'Processes in your own networks that check monitors from there.',
  Billing: 'Plans, usage and payment.',
  'Audit log': 'The record of all changes.',
  Administration: 'For administrators of the instance.',
  Webhooks: 'The requests sent to channels of type `webhook`.',
};

export const description = `Everything in the dashboard is also available through the API: each of its actions is an operation here.

**Credentials.** Send \`Authorization: Bearer <key>\`. Operations under \`/api/v1\` accept an
API key or a user access token. All others (accounts, payment, new keys) accept a user access token or the dashboard's session cookie, but no API key.

**Scopes.** An API key with \`read\` reads all resources, and one with \`write\` changes them. A key can also have scopes of single resources, such as
\`monitors:read\` or \`incidents:write\`; to write a resource includes reading it. Each operation names its scope (\`x-required-scope\`), for which \`read\` or \`write\`
is enough too, except for who has access to the team: changes of members and of the team, invitations, API keys and the audit log need their own scope. An answer is complete where it mentions objects of other resources. A key without the scope gets 403 INSUFFICIENT_SCOPE, which names it.

**Errors** have one form: \`{"error": {"code", "message", "status", "issues"?}}\`. \`issues\` is present with \`VALIDATION_ERROR\` and names the invalid
fields. JSON types are strict: \`"false"\` is not a boolean. Unknown fields and query parameters are rejected with a suggestion of the nearest known name.
Duplicate names in an object and body fields that contradict the URL are rejected too. Objects of other teams are \`NOT_FOUND\`.

**Lists** accept \`limit\` (1–100) and \`cursor\`, and return \`nextCursor\`, which is null on the last page.

**Retries.** Send an \`Idempotency-Key\` with a POST to make it safe to retry. POSTs that change nothing, such as previews, ignore it. \`PUT /api/v1/monitors/by-external-id/{externalId}\` creates or updates a
monitor by your own ID and is idempotent. Monitors, channels, status pages, maintenance windows, schedules and escalation policies have an
\`externalId\`, unique in the team, which lists can be filtered by, and can be sent back in the form in which they were read.

**Limits.** Rate-limited responses carry \`ratelimit-limit\`, \`ratelimit-remaining\` and \`ratelimit-reset\`. Above the limit, the response is 429 with \`retry-after\`.

**Metrics.** \`GET /api/v1/metrics\` returns status and latency of each monitor of the team in the Prometheus text format. It requires an API key with the scope \`monitors:read\` or \`read\`.`;

/** Returns the schema of an error with one of these codes. */
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
          message: { type: 'string', description: 'A human-readable message, which may change.' },
          status: { type: 'integer', description: 'The HTTP status.' },
          issues: {
            type: 'array',
            description: 'Only with VALIDATION_ERROR: the invalid fields and what is wrong with them.',
            items: {
              type: 'object',
              required: ['path', 'message'],
              properties: {
                path: {
                  type: 'string',
                  description: 'The path of the field, separated by dots; empty for the whole body.',
                },
                message: { type: 'string' },
              },
            },
          },
        },
      },
    },
  };
}
