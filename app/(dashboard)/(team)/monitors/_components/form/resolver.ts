import type { FieldErrors, FieldPath, Resolver } from 'react-hook-form';
import { formatLatency } from '@/app/_components/format';
import { CreateMonitorInput, compileExpressions, expressionsOf, type MonitorType } from '@/server/monitors/schema';
import { type MonitorFields, toInput } from './model';

export type MonitorField = FieldPath<MonitorFields>;

const plain: Record<string, MonitorField> = {
  name: 'name',
  tags: 'tags',
  externalId: 'externalId',
  intervalSeconds: 'intervalSeconds',
  channelIds: 'channelIds',
  regions: 'regions',
  'config.timeoutMs': 'timeout',
  'config.confirm.failures': 'confirm.failures',
  'config.confirm.recoveries': 'confirm.recoveries',
  'config.confirm.degraded': 'confirm.degraded',
  'config.confirm.retryDelayMs': 'confirm.retryDelay',
  'config.degradedAfterMs': 'http.degradedAfter',
  'config.auth.kind': 'http.authKind',
  'config.graceSeconds': 'heartbeat.grace',
};

/** The names of each type's config that have a field of the same name. */
const ownNames: Record<MonitorType, string[]> = {
  http: [
    'url',
    'method',
    'headers',
    'body',
    'auth',
    'expectedStatus',
    'maxRedirects',
    'certificateWarnDays',
    'ipFamily',
    'assertions',
  ],
  tcp: ['host', 'port', 'tls', 'send', 'expect'],
  ping: ['host', 'packetCount', 'maxLossPercent'],
  dns: ['host', 'recordType', 'resolver'],
  tls: ['host', 'port', 'serverName', 'warnDays'],
  websocket: ['url', 'headers', 'send', 'expect'],
  grpc: ['host', 'port', 'service', 'tls'],
  heartbeat: ['cron', 'timezone'],
};

/** The field that shows what an issue of the schema is about ("config.url" is "http.url"); null where none does. */
export function fieldOf(type: MonitorType, path: string): MonitorField | null {
  const own = Object.keys(plain).find((prefix) => path === prefix || path.startsWith(`${prefix}.`));
  if (own) return plain[own] ?? null;
  const [config, name = '', ...rest] = path.split('.');
  if (config !== 'config') return null;
  if (type === 'dns' && name === 'expect') return rest[0] === 'match' ? 'dns.match' : 'dns.values';
  if (!ownNames[type].includes(name)) return null;
  // Status ranges are one field; headers are listed by place in the form and by name in the config.
  const below = name === 'assertions' || name === 'auth' ? rest : [];
  return [type, name, ...below].join('.') as MonitorField;
}

const isTime = (field: MonitorField) =>
  ['timeout', 'confirm.retryDelay', 'http.degradedAfter', 'heartbeat.grace'].includes(field);

interface SchemaIssue {
  code?: string | undefined;
  message: string;
  minimum?: unknown;
  maximum?: unknown;
}

/** The schema's own words; where it has none of ours, ours. */
function words(field: MonitorField, { code, message, minimum, maximum }: SchemaIssue): string {
  if (!/^(Too|Invalid)/.test(message)) return message;
  const inMs = field === 'heartbeat.grace' ? 1000 : 1;
  const amount = (value: unknown) => (isTime(field) ? formatLatency(Number(value) * inMs) : String(value));
  if (code === 'too_small' && Number(minimum) > 1) return `At least ${amount(minimum)}.`;
  if (code === 'too_small') return isTime(field) ? `At least ${amount(minimum)}.` : 'This is needed.';
  if (code === 'too_big') return `At most ${amount(maximum)}.`;
  if (isTime(field)) return 'Write a time with its unit, such as 800 ms or 10 s.';
  return code === 'invalid_type' ? 'Give a whole number.' : message;
}

/** What is wrong with the fields, by field; null where they can be sent. The first issue of a field counts. */
export function findErrors(
  fields: MonitorFields,
  stored?: Record<string, unknown>,
): Map<MonitorField | null, string> | null {
  const input = toInput(fields, stored);
  const result = CreateMonitorInput.safeParse(input);
  const found = new Map<MonitorField | null, string>();
  // The schema passes over a header of this name, which no object can hold.
  const hasUnusable = 'headers' in input.config && Object.hasOwn(input.config.headers ?? {}, '__proto__');
  if (hasUnusable) found.set(fieldOf(fields.type, 'config.headers'), 'A header cannot be named __proto__.');
  for (const { path, message } of compileExpressions(expressionsOf(input.config))) {
    found.set(fieldOf(fields.type, path), message);
  }
  for (const issue of result.error?.issues ?? []) {
    const field = fieldOf(fields.type, issue.path.join('.'));
    if (!found.has(field)) found.set(field, field ? words(field, issue) : issue.message);
  }
  return found.size > 0 ? found : null;
}

/** Puts a message at a path of a tree of errors, as react-hook-form keeps them. */
function place(tree: Record<string, unknown>, path: string, message: string): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at = tree;
  for (const key of keys) {
    at[key] ??= {};
    at = at[key] as Record<string, unknown>;
  }
  at[last] ??= { type: 'schema', message };
}

/** Holds the fields against the server's own schema. */
export function monitorResolver(stored?: Record<string, unknown>): Resolver<MonitorFields> {
  return (fields) => {
    const found = findErrors(fields, stored);
    if (!found) return { values: fields, errors: {} };
    const errors: Record<string, unknown> = {};
    for (const [field, message] of found) place(errors, field ?? 'root', message);
    return { values: {}, errors: errors as FieldErrors<MonitorFields> };
  };
}
