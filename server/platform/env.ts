import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { toRanges } from './trusted-proxies';

/** A variable of the environment has a wrong value. The message is one line that names it. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

const text = () => z.string().optional();

const secret = () => z.string().min(16, { error: 'must have at least 16 characters' }).optional();

function url(protocols: string[], what: string, accepts: (parsed: URL) => boolean = () => true) {
  const good = (value: string) => {
    if (!URL.canParse(value)) return false;
    const parsed = new URL(value);
    return protocols.includes(parsed.protocol) && accepts(parsed);
  };
  return z.string().refine(good, { error: `must be ${what}` });
}

function integer(min: number, max: number, preset: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error })
    .default(preset);
}

function flag(preset: boolean) {
  return z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .transform((value) => value === 'true' || value === '1')
    .default(preset);
}

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

/** host:port, separated by commas; an IPv6 address stands in brackets. */
function canaries(preset: string) {
  const error = 'must be host:port, separated by commas, or off';
  return z
    .string()
    .default(preset)
    .transform((list) => (list === 'off' ? [] : list.split(',').map((item) => item.trim())))
    .refine((items) => items.every((item) => /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/.test(item)), { error })
    .transform((items) =>
      items.map((item) => {
        const end = item.lastIndexOf(':');
        return { host: item.slice(0, end).replace(/^\[|\]$/g, ''), port: Number(item.slice(end + 1)) };
      }),
    )
    .refine((items) => items.every(({ port }) => port >= 1 && port <= 65_535), { error });
}

/** Addresses, CIDR ranges and names of ranges, separated by commas, as CIDR ranges. */
const proxies = () =>
  z
    .string()
    .default('')
    .transform((list) => (list === '' ? [] : list.split(',').map((item) => toRanges(item.trim()))))
    .refine((items): items is string[][] => !items.includes(null), {
      error: 'must be addresses, ranges such as 10.0.0.0/8, loopback or private, separated by commas',
    })
    .transform((items) => [...new Set(items.flat())]);

const httpUrl = (what = 'an http:// or https:// address') => url(['http:', 'https:'], what, (it) => it.hostname !== '');

/** pg takes these modes for verify-full and warns that it will not for ever: said outright, both end. */
function withTlsMode(databaseUrl: string): string {
  const parsed = new URL(databaseUrl);
  const { searchParams } = parsed;
  if (searchParams.has('uselibpqcompat')) return databaseUrl;
  if (!['prefer', 'require', 'verify-ca'].includes(searchParams.get('sslmode') ?? '')) return databaseUrl;
  searchParams.set('sslmode', 'verify-full');
  return parsed.href;
}

const isOrigin = (it: URL) => it.pathname === '/' && !it.search && !it.hash && !it.username && !it.password;
const withoutSlash = (value: string) => value.replace(/\/+$/, '');

const Variables = z.object({
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'a postgresql:// address').transform(withTlsMode).optional(),
  PORT: integer(1, 65_535, 3000),
  HOST: z
    .string()
    .refine((host) => isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host), {
      error: 'must be an IP address or a host name to listen on, without a port',
    })
    .default('127.0.0.1'),
  APP_URL: url(['http:', 'https:'], 'an http:// or https:// address without a path', isOrigin).optional(),
  APP_SECRET: secret(),
  APP_SECRET_PREVIOUS: secret(),
  SIGNUPS: oneOf(['open', 'invite']).default('open'),
  ALLOW_PRIVATE_TARGETS: flag(false),
  DATA_DIR: z.string().default('.data'),
  DEFAULT_PLAN: oneOf(['free', 'pro', 'business', 'self_hosted']).optional(),
  TRUSTED_PROXIES: proxies(),
  REGION: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, { error: 'must be up to 32 lower-case letters, digits and hyphens' })
    .default('default'),
  WORKER_CONCURRENCY: integer(1, 10_000, 200),
  SMTP_URL: url(['smtp:', 'smtps:'], 'an smtp:// or smtps:// address', (it) => it.hostname !== '').optional(),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>\r\n]* )?<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/, {
      error: 'must be an email address, such as Upwatch <upwatch@example.com>',
    })
    .default('Upwatch <upwatch@localhost>'),
  LINE_API_BASE_URL: httpUrl().transform(withoutSlash).default('https://api.line.me'),
  UPSTASH_REDIS_REST_URL: httpUrl().optional(),
  UPSTASH_REDIS_REST_TOKEN: text(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'must be a bucket name' })
    .optional(),
  S3_ENDPOINT: httpUrl().optional(),
  S3_REGION: text(),
  AWS_ACCESS_KEY_ID: text(),
  AWS_SECRET_ACCESS_KEY: text(),
  STRIPE_SECRET_KEY: text(),
  STRIPE_WEBHOOK_SECRET: text(),
  STRIPE_PRICE_PRO: text(),
  STRIPE_PRICE_BUSINESS: text(),
  STRIPE_API_BASE: url(['http:', 'https:'], 'an http:// or https:// address without a path', isOrigin).optional(),
  METRICS_TOKEN: text(),
  NODE_ENV: text(),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  EGRESS_CANARIES: canaries('1.1.1.1:443,8.8.8.8:443,9.9.9.9:443'),
  RAW_RETENTION_DAYS: integer(1, 3_650, 14),
  RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000, 600),
  AUTH_RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000, 20),
});
type Variables = z.output<typeof Variables>;

/** The value of `name`, which must be set because `because` is. */
function needed(values: Variables, name: keyof Variables, because: keyof Variables): string {
  const value = values[name];
  if (typeof value !== 'string') throw new EnvError(`${name} must be set too, because ${because} is.`);
  return value;
}

function firstSet<Name extends keyof Variables>(values: Variables, names: readonly Name[]): Name | undefined {
  return names.find((name) => values[name] !== undefined);
}

function upstashOf(values: Variables) {
  const because = firstSet(values, ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN']);
  if (!because) return undefined;
  return {
    url: needed(values, 'UPSTASH_REDIS_REST_URL', because),
    token: needed(values, 'UPSTASH_REDIS_REST_TOKEN', because),
  };
}

/** The AWS keys alone configure nothing: many machines carry them for other programs. */
function s3Of(values: Variables) {
  const because = firstSet(values, ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION']);
  if (!because) return undefined;
  return {
    bucket: needed(values, 'S3_BUCKET', because),
    endpoint: values.S3_ENDPOINT,
    // A service of one's own seldom has regions, but a signature names one.
    region: values.S3_ENDPOINT ? (values.S3_REGION ?? 'us-east-1') : needed(values, 'S3_REGION', because),
    accessKeyId: needed(values, 'AWS_ACCESS_KEY_ID', because),
    secretAccessKey: needed(values, 'AWS_SECRET_ACCESS_KEY', because),
  };
}

function stripeOf(values: Variables) {
  const because = firstSet(values, [
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'STRIPE_PRICE_PRO',
    'STRIPE_PRICE_BUSINESS',
    'STRIPE_API_BASE',
  ]);
  if (!because) return undefined;
  return {
    secretKey: needed(values, 'STRIPE_SECRET_KEY', because),
    webhookSecret: needed(values, 'STRIPE_WEBHOOK_SECRET', because),
    pricePro: needed(values, 'STRIPE_PRICE_PRO', because),
    priceBusiness: needed(values, 'STRIPE_PRICE_BUSINESS', because),
    apiBase: values.STRIPE_API_BASE,
  };
}

/** Where a browser on this machine reaches the address that is listened on. */
function localUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`;
}

function toEnv(values: Variables) {
  return {
    databaseUrl: values.DATABASE_URL,
    port: values.PORT,
    host: values.HOST,
    appUrl: values.APP_URL ? new URL(values.APP_URL).origin : localUrl(values.HOST, values.PORT),
    appSecret: values.APP_SECRET,
    appSecretPrevious: values.APP_SECRET_PREVIOUS,
    signups: values.SIGNUPS,
    allowPrivateTargets: values.ALLOW_PRIVATE_TARGETS,
    dataDir: path.resolve(/* turbopackIgnore: true */ values.DATA_DIR),
    defaultPlan: values.DEFAULT_PLAN,
    trustedProxies: values.TRUSTED_PROXIES,
    region: values.REGION,
    workerConcurrency: values.WORKER_CONCURRENCY,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    lineApiBaseUrl: values.LINE_API_BASE_URL,
    upstash: upstashOf(values),
    s3: s3Of(values),
    stripe: stripeOf(values),
    metricsToken: values.METRICS_TOKEN,
    /** Whether the product runs from its sources (`npm run dev`). */
    development: values.NODE_ENV === 'development',
    logLevel: values.LOG_LEVEL,
    egressCanaries: values.EGRESS_CANARIES,
    rawRetentionDays: values.RAW_RETENTION_DAYS,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    authRateLimitPerMinute: values.AUTH_RATE_LIMIT_PER_MINUTE,
  };
}

export type Env = Readonly<ReturnType<typeof toEnv>>;

/** Reads the settings from variables; an empty one counts as unset. Throws `EnvError` at the first wrong value. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const set = Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : []));
  const parsed = Variables.safeParse(Object.fromEntries(set));
  if (parsed.success) return toEnv(parsed.data);
  const issue = parsed.error.issues[0];
  throw new EnvError(`${String(issue?.path[0])} ${issue?.message}.`);
}

/** The settings of this process. */
export const env: Env = parseEnv(process.env);
