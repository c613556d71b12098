import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { isConfigured, missing, S3, STRIPE, UPSTASH } from './env-groups';
import { canaries, nameServers, proxies } from './env-lists';
import { OwnError } from './own-error';
import { findUnknownVariables } from './unknown-variables';

/** Environment variables have invalid values. The message is one line that names each. */
export class EnvError extends OwnError {
  static override readonly kind: string = 'EnvError';
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

const httpUrl = (what = 'an http:// or https:// address') => url(['http:', 'https:'], what, (it) => it.hostname !== '');

/** pg treats these modes as verify-full and warns that this will change: the explicit mode avoids both. */
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
  CHANNEL_API_GATEWAY: httpUrl().transform(withoutSlash).optional(),
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
  LOG_FORMAT: oneOf(['text', 'json']).optional(),
  REQUEST_LOG: flag(true),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  DNS_SERVERS: nameServers(),
  EGRESS_CANARIES: canaries('1.1.1.1:443,8.8.8.8:443,9.9.9.9:443'),
  RAW_RETENTION_DAYS: integer(1, 3_650, 14),
  RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000, 600),
  AUTH_RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000, 20),
  MAIL_PER_TEAM_PER_DAY: integer(0, 1_000_000, 200),
  MAIL_PER_ADDRESS_PER_DAY: integer(0, 1_000_000, 10),
});
export type Variables = z.output<typeof Variables>;

/** A variable that `missing` has found to be set. */
const textOf = (values: Variables, name: keyof Variables) => String(values[name]);

function upstashOf(values: Variables) {
  if (!isConfigured(values, UPSTASH)) return undefined;
  return { url: textOf(values, 'UPSTASH_REDIS_REST_URL'), token: textOf(values, 'UPSTASH_REDIS_REST_TOKEN') };
}

function s3Of(values: Variables) {
  if (!isConfigured(values, S3)) return undefined;
  return {
    bucket: textOf(values, 'S3_BUCKET'),
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION ?? 'us-east-1',
    accessKeyId: textOf(values, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: textOf(values, 'AWS_SECRET_ACCESS_KEY'),
  };
}

function stripeOf(values: Variables) {
  if (!isConfigured(values, STRIPE)) return undefined;
  return {
    secretKey: textOf(values, 'STRIPE_SECRET_KEY'),
    webhookSecret: textOf(values, 'STRIPE_WEBHOOK_SECRET'),
    pricePro: textOf(values, 'STRIPE_PRICE_PRO'),
    priceBusiness: textOf(values, 'STRIPE_PRICE_BUSINESS'),
    apiBase: values.STRIPE_API_BASE,
  };
}

/** The URL at which a browser on this machine reaches the listening address. */
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
    channelApiGateway: values.CHANNEL_API_GATEWAY,
    upstash: upstashOf(values),
    s3: s3Of(values),
    stripe: stripeOf(values),
    metricsToken: values.METRICS_TOKEN,
    /** Whether the product runs from its sources (`npm run dev`). */
    development: values.NODE_ENV === 'development',
    logLevel: values.LOG_LEVEL,
    requestLog: values.REQUEST_LOG,
    dnsServers: values.DNS_SERVERS,
    egressCanaries: values.EGRESS_CANARIES,
    rawRetentionDays: values.RAW_RETENTION_DAYS,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    authRateLimitPerMinute: values.AUTH_RATE_LIMIT_PER_MINUTE,
    mailPerTeamPerDay: values.MAIL_PER_TEAM_PER_DAY,
    mailPerAddressPerDay: values.MAIL_PER_ADDRESS_PER_DAY,
  };
}

export type Env = Readonly<ReturnType<typeof toEnv>>;

/** One line with all invalid values, or the values. Missing values are reported together with invalid ones. */
function check(source: Record<string, string>): { values: Variables } | { wrong: string[] } {
  const parsed = Variables.safeParse(source);
  const issues = parsed.success ? [] : parsed.error.issues;
  const wrong = issues.map(({ path, message }) => `${String(path[0])} ${message}.`);
  const names = new Set(issues.map(({ path }) => String(path[0])));
  // Invalid values are still set.
  const rest = Object.fromEntries(Object.entries(source).filter(([name]) => !names.has(name)));
  const right = Variables.parse(rest);
  const absent = missing({ ...right, ...Object.fromEntries([...names].map((name) => [name, name])) });
  return wrong.length + absent.length > 0 ? { wrong: [...wrong, ...absent] } : { values: right };
}

/** Parses the settings; an empty variable counts as unset. One `EnvError` names all invalid values and unknown variables. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const set = Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : []));
  const checked = check(Object.fromEntries(set));
  if ('wrong' in checked) throw new EnvError([...checked.wrong, ...notesOnUnknown(source)].join(' '));
  return toEnv(checked.values);
}

/** Unknown variables that resemble a setting, each with the probable one. */
export function unknownVariables(source: Record<string, string | undefined>): { name: string; meant: string }[] {
  const names = Object.keys(source).filter((name) => source[name]?.trim());
  return findUnknownVariables(names, Object.keys(Variables.shape));
}

/** A message for each unknown variable. */
export function notesOnUnknown(source: Record<string, string | undefined>): string[] {
  return unknownVariables(source).map(
    ({ name, meant }) => `${name} is no setting of Upwatch and changes nothing. Did you mean ${meant}?`,
  );
}

/** Makes next-auth answer at the requested host, be it 127.0.0.1, localhost or APP_URL's; it reads only this variable. */
export function trustAskedHost(): void {
  process.env.AUTH_TRUST_HOST = 'true';
}

/** The settings of this process. */
export const env: Env = parseEnv(process.env);
