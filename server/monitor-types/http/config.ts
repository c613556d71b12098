import { z } from 'zod';
import { SpeedConfirm, TimeoutMs } from '@/server/monitor-types/config/confirm';
import { Headers } from '@/server/monitor-types/config/headers';
import { SaveResponseBody } from '@/server/monitor-types/config/save-response-body';
import { addressOf } from '@/server/monitor-types/config/url';

/** An http or https URL without credentials: those belong in `auth`, which is encrypted. */
export const HttpUrl = addressOf(['https', 'http'], 'Enter the username and password under auth, not in the URL.');

/** The characters of a header value: visible ASCII (RFC 6750 §2.1 allows fewer still), or the mask of a stored token. */
const BearerToken = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^([\x21-\x7e]+|••••.{0,4})$/su, 'A token may hold letters, digits and signs of ASCII, and no spaces.');

const HttpAuth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('basic'), username: z.string().max(255), password: z.string().max(1024) }),
  z.strictObject({ kind: z.literal('bearer'), token: BearerToken }),
  z.strictObject({
    kind: z.literal('oauth2'),
    tokenUrl: HttpUrl,
    clientId: z.string().min(1).max(255),
    clientSecret: z.string().min(1).max(1024),
    scope: z.string().max(1024).optional(),
  }),
]);

/** One status code ("301") or an inclusive range ("200-299"). */
const StatusRange = z
  .string()
  .regex(/^[1-5]\d\d(-[1-5]\d\d)?$/, 'Enter a status code such as 301, or a range such as 200-299.')
  .refine((text) => {
    const [from, to = from] = text.split('-');
    return Number(from) <= Number(to);
  }, 'The end of a range must not be below its start.');

const operators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'matches',
  'lessThan',
  'greaterThan',
  'exists',
  'notExists',
] as const;

/**
 * A rule for the response. Whether its regular expression or JSON path compiles is decided by the server's `assertExpressions`, in a thread:
 * compiling can take seconds.
 */
export const HttpAssertion = z
  .strictObject({
    source: z.enum(['status', 'header', 'body', 'json', 'latency']),
    property: z.string().min(1).max(512).optional(),
    operator: z.enum(operators),
    value: z.union([z.string().max(8192), z.number(), z.boolean()]).optional(),
  })
  .superRefine(({ source, property, operator, value }, ctx) => {
    const issue = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    const needsProperty = source === 'header' || source === 'json';
    if (needsProperty && property === undefined) issue('property', `A ${source} assertion names its property.`);
    if (!needsProperty && property !== undefined) issue('property', `A ${source} assertion takes no property.`);
    const presence = operator === 'exists' || operator === 'notExists';
    if (presence && (source === 'status' || source === 'latency')) issue('operator', `${source} is always there.`);
    if (presence && value !== undefined) issue('value', `${operator} takes no value.`);
    if (!presence && value === undefined) issue('value', `${operator} needs a value.`);
    if (operator === 'matches' && value !== undefined && typeof value !== 'string') {
      issue('value', 'Enter the regular expression as text.');
    }
    const ordered = operator === 'lessThan' || operator === 'greaterThan';
    const numeric = ordered || ((source === 'status' || source === 'latency') && !presence && operator !== 'matches');
    const textual = operator === 'contains' || operator === 'notContains';
    if (numeric && !textual && value !== undefined && !isNumeric(value)) issue('value', 'Enter a number.');
  });
export type HttpAssertion = z.infer<typeof HttpAssertion>;

function isNumeric(value: string | number | boolean): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
}

/** The maximum number of assertions of a monitor. */
export const MOST_ASSERTIONS = 30;

/** The request of an http check and its expected response. */
export const HttpConfig = z.strictObject({
  url: HttpUrl,
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).default('GET'),
  headers: Headers,
  body: z.string().max(100_000).optional(),
  auth: HttpAuth.optional(),
  expectedStatus: z.array(StatusRange).min(1).max(20).default(['200-299']),
  followRedirects: z.boolean().default(true),
  maxRedirects: z.int().min(0).max(20).default(10),
  timeoutMs: TimeoutMs,
  degradedAfterMs: z.int().min(1).max(60_000).optional(),
  verifyTls: z.boolean().default(true),
  certificateWarnDays: z.int().min(0).max(365).default(14),
  ipFamily: z.enum(['auto', '4', '6']).default('auto'),
  assertions: z.array(HttpAssertion).max(MOST_ASSERTIONS).default([]),
  saveResponseBody: SaveResponseBody,
  confirm: SpeedConfirm,
});
export type HttpConfig = z.infer<typeof HttpConfig>;
