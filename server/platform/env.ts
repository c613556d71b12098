import { isIP } from 'node:net';
import path from 'node:path';
import { OwnError } from './own-error';
import { isConfigured, notesOnMissing, S3, STRIPE, UPSTASH } from './settings/env-groups';
import { Variables } from './settings/env-variables';
import { findUnknownVariables } from './settings/unknown-variables';

/** Environment variables have invalid values. The message is one line that names each. */
export class EnvError extends OwnError {
  static override readonly kind: string = 'EnvError';
}

/** Returns a variable that is known to be set, because `isConfigured` and `notesOnMissing` have verified its group. */
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

/** Returns the URL at which a browser on this machine reaches the listening address. */
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
    rdapBootstrapUrl: values.RDAP_BOOTSTRAP_URL,
    rawRetentionDays: values.RAW_RETENTION_DAYS,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    authRateLimitPerMinute: values.AUTH_RATE_LIMIT_PER_MINUTE,
    pageRateLimitPerMinute: values.PAGE_RATE_LIMIT_PER_MINUTE,
    mailPerTeamPerDay: values.MAIL_PER_TEAM_PER_DAY,
    mailPerAddressPerDay: values.MAIL_PER_ADDRESS_PER_DAY,
  };
}

export type Env = Readonly<ReturnType<typeof toEnv>>;

/** Returns the parsed variables, or a message for each invalid and each missing one. */
function check(source: Record<string, string>): { values: Variables } | { wrong: string[] } {
  const parsed = Variables.safeParse(source);
  const issues = parsed.success ? [] : parsed.error.issues;
  const wrong = issues.map(({ path, message }) => `${String(path[0])} ${message}.`);
  const names = new Set(issues.map(({ path }) => String(path[0])));
  // Invalid values are still set.
  const rest = Object.fromEntries(Object.entries(source).filter(([name]) => !names.has(name)));
  const right = Variables.parse(rest);
  const absent = notesOnMissing({ ...right, ...Object.fromEntries([...names].map((name) => [name, name])) });
  return wrong.length + absent.length > 0 ? { wrong: [...wrong, ...absent] } : { values: right };
}

/**
 * Parses the settings; an empty variable counts as unset.
 * @throws EnvError that names all invalid and missing values, and unknown variables that resemble a setting
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const set = Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : []));
  const checked = check(Object.fromEntries(set));
  if ('wrong' in checked) throw new EnvError([...checked.wrong, ...notesOnUnknown(source)].join(' '));
  return toEnv(checked.values);
}

/** Returns unknown variables that resemble a setting, each with the probable one. */
export function unknownVariables(source: Record<string, string | undefined>): { name: string; meant: string }[] {
  const names = Object.keys(source).filter((name) => source[name]?.trim());
  return findUnknownVariables(names, Object.keys(Variables.shape));
}

/** Returns the messages about unknown variables of this process. */
export const notesOnOwn = (): string[] => notesOnUnknown(process.env);

/** Variables that the start script or an operator command sets, or that belong to one process or machine. */
const OF_A_PROCESS = new Set(['APP_SECRET', 'DATABASE_URL', 'NODE_ENV', 'LOG_LEVEL', 'DATA_DIR', 'HOST', 'PORT']);

/** Returns the settings of the instance that are set, without APP_SECRET and those of one process or machine. */
export function variablesIn(source: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(Variables.shape).flatMap((name) => {
      const value = source[name]?.trim();
      return value && !OF_A_PROCESS.has(name) ? [[name, value]] : [];
    }),
  );
}

/** Returns a message for each unknown variable that resembles a setting. */
export function notesOnUnknown(source: Record<string, string | undefined>): string[] {
  return unknownVariables(source).map(
    ({ name, meant }) => `${name} is no setting of Upwatch and changes nothing. Did you mean ${meant}?`,
  );
}

/** Makes next-auth accept the host of the request, whether 127.0.0.1, localhost or APP_URL's; it reads only this variable. */
export function trustAskedHost(): void {
  process.env.AUTH_TRUST_HOST = 'true';
}

/** The settings of this process. */
export const env: Env = parseEnv(process.env);
