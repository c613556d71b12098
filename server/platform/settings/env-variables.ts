import { isIP } from 'node:net';
import { z } from 'zod';
import { asksForWrites, urlsOfHosts } from '../database/database-url';
import { canaries, nameServers, proxies } from './env-lists';

const text = () => z.string().optional();

const secret = () => z.string().min(16, { error: 'must have at least 16 characters' }).optional();

const isUrl =
  (protocols: string[], accepts: (parsed: URL) => boolean = () => true) =>
  (value: string) => {
    if (!URL.canParse(value)) return false;
    const parsed = new URL(value);
    return protocols.includes(parsed.protocol) && accepts(parsed);
  };

function url(protocols: string[], what: string, accepts?: (parsed: URL) => boolean) {
  return z.string().refine(isUrl(protocols, accepts), { error: `must be ${what}` });
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

/** Replaces the TLS modes that pg treats as verify-full, with a warning that this will change, by verify-full itself. */
function withTlsMode(databaseUrl: string): string {
  if (/[?&]uselibpqcompat=/.test(databaseUrl)) return databaseUrl;
  return databaseUrl.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

const isDatabaseUrl = isUrl(['postgres:', 'postgresql:']);

const databaseUrl = () =>
  z
    .string()
    .refine((value) => urlsOfHosts(value).every(isDatabaseUrl), {
      error: 'must be a postgresql:// address',
      abort: true,
    })
    .refine(asksForWrites, { error: 'must say target_session_attrs=read-write, or nothing about it' })
    .transform(withTlsMode);

const isOrigin = (it: URL) => it.pathname === '/' && !it.search && !it.hash && !it.username && !it.password;
const withoutSlash = (value: string) => value.replace(/\/+$/, '');

/** The environment variables that are settings. Input is text, without empty variables, which count as unset. */
export const Variables = z.object({
  DATABASE_URL: databaseUrl().optional(),
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
  RDAP_BOOTSTRAP_URL: httpUrl().default('https://data.iana.org/rdap/dns.json'),
  RAW_RETENTION_DAYS: integer(1, 3_650, 14),
  RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000, 600),
  AUTH_RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000, 20),
  PAGE_RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000, 600),
  MAIL_PER_TEAM_PER_DAY: integer(0, 1_000_000, 200),
  MAIL_PER_ADDRESS_PER_DAY: integer(0, 1_000_000, 10),
});
export type Variables = z.output<typeof Variables>;
