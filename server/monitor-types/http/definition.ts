import { z } from 'zod';
import { suggestName, withoutScheme } from '../address';
import { assertClientCertificate, clientCertificateFields, clientCertificateShape } from '../config/client-certificate';
import { SpeedConfirm, TimeoutMs } from '../config/confirm';
import { ConnectionTests } from '../config/connection-tests';
import { connectionTestsField, degradedFields, headersField, saveResponseBodyField } from '../config/form-fields';
import { Headers } from '../config/headers';
import { SaveResponseBody } from '../config/save-response-body';
import { ownTrustFields, ownTrustShape } from '../config/tls-trust';
import { UpsideDown, upsideDownField } from '../config/upside-down';
import { addressOf } from '../config/url';
import type { TypeDefinition } from '../definition';
import type { FormField } from '../form-field';
import { HttpAssertion, MOST_ASSERTIONS } from './assertion';
import { assertionExpressions } from './expressions';

/** An http or https URL without credentials: those belong in `auth`, which is encrypted. */
export const HttpUrl = addressOf(['https', 'http'], 'Enter the username and password under auth, not in the URL.');

/** A token of visible ASCII characters (RFC 6750 §2.1 allows fewer still), or the mask of a stored one. */
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
    audience: z.string().min(1).max(2048).optional().meta({
      description: 'The `audience` parameter of the token request, which some servers require.',
    }),
    tokenAuthMethod: z.enum(['client_secret_basic', 'client_secret_post']).optional().meta({
      description:
        'How the client ID and secret are sent to the token URL: in the Authorization header (by default) or in the body.',
    }),
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

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The request of an http check and its expected response. */
export const HttpConfig = z
  .strictObject({
    url: HttpUrl,
    method: z.enum(methods).default('GET'),
    headers: Headers,
    body: z.string().max(100_000).optional(),
    auth: HttpAuth.optional(),
    expectedStatus: z.array(StatusRange).min(1).max(20).default(['200-299']),
    followRedirects: z.boolean().default(true),
    maxRedirects: z.int().min(0).max(20).default(10),
    timeoutMs: TimeoutMs,
    degradedAfterMs: z.int().min(1).max(60_000).optional(),
    verifyTls: z.boolean().default(true),
    ...ownTrustShape,
    ...clientCertificateShape,
    certificateWarnDays: z.int().min(0).max(365).default(14),
    ipFamily: z.enum(['auto', '4', '6']).default('auto'),
    assertions: z.array(HttpAssertion).max(MOST_ASSERTIONS).default([]),
    saveResponseBody: SaveResponseBody,
    connectionTests: ConnectionTests,
    upsideDown: UpsideDown,
    confirm: SpeedConfirm,
  })
  .superRefine(assertClientCertificate);
export type HttpConfig = z.infer<typeof HttpConfig>;

/** Returns a form field of one kind of authentication. */
const ofAuth = (kind: 'basic' | 'bearer' | 'oauth2', label: string) =>
  ({ label, kind: 'verbatim', group: 'advanced', when: { field: 'auth.kind', is: [kind] } }) satisfies FormField;

export const http = {
  schema: HttpConfig,
  form: {
    label: 'HTTP',
    note: 'URL, status, body',
    upWhen: 'The status code is expected and every rule passes.',
    advanced: 'Headers, body, authentication, response, redirects, certificate',
    suggestName: ({ url = '' }) => suggestName(url),
    fields: {
      method: {
        label: 'Method',
        kind: 'select',
        group: 'target',
        options: methods.map((value) => ({ value, label: value })),
      },
      url: {
        label: 'URL',
        kind: 'url',
        group: 'target',
        prefix: 'method',
        placeholder: 'https://northwind.example',
      },
      expectedStatus: {
        label: 'Expected status codes',
        kind: 'list',
        group: 'expected',
        help: 'Codes and ranges: 200-299, 301. A rule about the status code replaces them.',
      },
      assertions: { label: 'Rules', kind: 'assertions', group: 'expected' },
      upsideDown: upsideDownField,
      headers: headersField,
      body: { label: 'Body', kind: 'multiline', group: 'advanced', optional: true },
      'auth.kind': {
        label: 'Authentication',
        kind: 'select',
        group: 'advanced',
        options: [
          { value: undefined, label: 'None' },
          { value: 'basic', label: 'Username and password' },
          { value: 'bearer', label: 'Bearer token' },
          { value: 'oauth2', label: 'OAuth 2.0 client credentials' },
        ],
      },
      'auth.username': { ...ofAuth('basic', 'Username'), width: 'half', mono: false },
      'auth.password': { ...ofAuth('basic', 'Password'), width: 'half' },
      'auth.token': ofAuth('bearer', 'Token'),
      'auth.tokenUrl': { ...ofAuth('oauth2', 'Token URL'), kind: 'url' },
      'auth.clientId': { ...ofAuth('oauth2', 'Client ID'), width: 'half' },
      'auth.clientSecret': { ...ofAuth('oauth2', 'Client secret'), width: 'half' },
      'auth.scope': { ...ofAuth('oauth2', 'Scope'), width: 'half', optional: true },
      'auth.audience': { ...ofAuth('oauth2', 'Audience'), width: 'half', optional: true },
      'auth.tokenAuthMethod': {
        ...ofAuth('oauth2', 'Client authentication'),
        kind: 'select',
        options: [
          { value: undefined, label: 'Default: Authorization header' },
          { value: 'client_secret_basic', label: 'Authorization header' },
          { value: 'client_secret_post', label: 'Request body' },
        ],
      },
      verifyTls: { label: 'Verify TLS certificate', kind: 'switch', group: 'advanced' },
      ...ownTrustFields(),
      ...clientCertificateFields,
      certificateWarnDays: {
        label: 'Certificate warning',
        kind: 'number',
        group: 'advanced',
        width: 'half',
        help: 'Days before it expires. 0 turns warnings off.',
      },
      ipFamily: {
        label: 'IP version',
        kind: 'select',
        group: 'advanced',
        width: 'half',
        options: [
          { value: 'auto', label: 'Automatic' },
          { value: '4', label: 'IPv4 only' },
          { value: '6', label: 'IPv6 only' },
        ],
      },
      ...degradedFields('800 ms'),
      saveResponseBody: saveResponseBodyField,
      followRedirects: { label: 'Follow redirects', kind: 'switch', group: 'advanced' },
      maxRedirects: {
        label: 'Maximum redirects',
        kind: 'number',
        group: 'advanced',
        width: 'half',
        when: { field: 'followRedirects', is: [true], keeps: true },
      },
      connectionTests: connectionTestsField,
    },
  },
  secrets: {
    url: 'url',
    body: 'text',
    headers: 'headers',
    clientKey: 'credential',
    auth: { password: 'credential', token: 'credential', clientSecret: 'credential', tokenUrl: 'url' },
  },
  target: ({ url }) => withoutScheme(url),
  request: ({ method, url }) => `${method} ${url}`,
  endpoints: ({ url, auth }) => [['url', url], ...(auth?.kind === 'oauth2' ? [tokenEndpoint(auth.tokenUrl)] : [])],
  expressions: (config) => assertionExpressions(config, 'config'),
  limitKey: ({ url }) => new URL(url).hostname,
  certificateWarnDays: ({ certificateWarnDays }) => certificateWarnDays,
  isDegradedBySpeed: true,
} satisfies TypeDefinition<HttpConfig>;

function tokenEndpoint(tokenUrl: string): [string, string] {
  return ['auth.tokenUrl', tokenUrl];
}
