import type { HttpConfig, Monitor, MonitorType } from '@/server/monitors/schema';
import { completeAddress } from '../suggest-name';
import { parseDuration, writeDuration } from './duration';
import { figure, type HeaderField, headerFields, headersInput, type Stored } from './figures';
import { type OtherFields, otherFields, otherInput } from './other-types';
import { readRuleValue, writeRuleValue } from './rule-value';

type HttpAuth = NonNullable<HttpConfig['auth']>;
export type AuthKind = HttpAuth['kind'] | 'none';
export type RuleSource = HttpConfig['assertions'][number]['source'];
export type RuleOperator = HttpConfig['assertions'][number]['operator'];

export interface Rule {
  source: RuleSource;
  property: string;
  operator: RuleOperator;
  value: string;
}

/** What the form's fields hold: text as typed, and the fields of every type beside each other. */
export interface MonitorFields extends OtherFields {
  type: MonitorType;
  name: string;
  tags: string[];
  externalId: string;
  intervalSeconds: number;
  allChannels: boolean;
  channelIds: string[];
  regions: string[];
  timeout: string;
  confirm: { failures: number; recoveries: number; retryDelay: string; degraded: number };
  http: {
    url: string;
    method: HttpConfig['method'];
    headers: HeaderField[];
    body: string;
    authKind: AuthKind;
    auth: {
      username: string;
      password: string;
      token: string;
      tokenUrl: string;
      clientId: string;
      clientSecret: string;
      scope: string;
    };
    expectedStatus: string;
    followRedirects: boolean;
    maxRedirects: string;
    degradedAfter: string;
    verifyTls: boolean;
    certificateWarnDays: string;
    ipFamily: HttpConfig['ipFamily'];
    assertions: Rule[];
  };
}

const noAuth = { username: '', password: '', token: '', tokenUrl: '', clientId: '', clientSecret: '', scope: '' };

function httpFields(config: Stored<HttpConfig>): MonitorFields['http'] {
  const { kind: authKind = 'none', ...auth } = config.auth ?? {};
  const { scope } = { scope: undefined, ...auth };
  return {
    url: config.url ?? '',
    method: config.method ?? 'GET',
    headers: headerFields(config.headers),
    body: config.body ?? '',
    authKind,
    auth: { ...noAuth, ...auth, scope: scope ?? '' },
    expectedStatus: (config.expectedStatus ?? ['200-299']).join(', '),
    followRedirects: config.followRedirects ?? true,
    maxRedirects: String(config.maxRedirects ?? 10),
    degradedAfter: writeDuration(config.degradedAfterMs),
    verifyTls: config.verifyTls ?? true,
    certificateWarnDays: String(config.certificateWarnDays ?? 14),
    ipFamily: config.ipFamily ?? 'auto',
    assertions: (config.assertions ?? []).map(({ source, property = '', operator, value }) => ({
      source,
      property,
      operator,
      value: writeRuleValue(source, value),
    })),
  };
}

/** The fields of a new monitor, or of one that is changed. */
export function toFields(type: MonitorType, monitor?: Monitor): MonitorFields {
  const config = (monitor?.config ?? {}) as Stored<HttpConfig>;
  const { failures = 2, recoveries = 1, retryDelayMs = 2000, degraded = 3 } = config.confirm ?? {};
  return {
    type: monitor?.type ?? type,
    name: monitor?.name ?? '',
    tags: monitor?.tags ?? [],
    externalId: monitor?.externalId ?? '',
    // That of a heartbeat's schedule may be longer than any that can be chosen.
    intervalSeconds: Math.min(monitor?.intervalSeconds ?? 60, 86_400),
    allChannels: (monitor?.channelIds ?? null) === null,
    channelIds: monitor?.channelIds ?? [],
    regions: monitor?.regions ?? [],
    timeout: writeDuration(config.timeoutMs ?? 10_000),
    confirm: { failures, recoveries, retryDelay: writeDuration(retryDelayMs), degraded },
    http: httpFields(config),
    ...otherFields(monitor?.config ?? {}),
  };
}

function authInput(kind: AuthKind, auth: MonitorFields['http']['auth']) {
  const { username, password, token, tokenUrl, clientId, clientSecret, scope } = auth;
  switch (kind) {
    case 'none':
      return undefined;
    case 'basic':
      return { kind, username, password };
    case 'bearer':
      return { kind, token };
    case 'oauth2':
      return { kind, tokenUrl: completeAddress(tokenUrl), clientId, clientSecret, ...(scope && { scope }) };
    default:
      return kind satisfies never;
  }
}

function ruleInput({ source, property, operator, value }: Rule) {
  const takesProperty = source === 'header' || source === 'json';
  const takesValue = operator !== 'exists' && operator !== 'notExists';
  return {
    source,
    operator,
    ...(takesProperty && property.trim() && { property: property.trim() }),
    ...(takesValue && value !== '' && { value: readRuleValue(source, value) }),
  };
}

function httpInput(fields: MonitorFields['http']) {
  return {
    url: completeAddress(fields.url),
    method: fields.method,
    headers: headersInput(fields.headers),
    body: fields.body === '' ? undefined : fields.body,
    auth: authInput(fields.authKind, fields.auth),
    expectedStatus: fields.expectedStatus.split(/[\s,]+/).filter((part) => part !== ''),
    followRedirects: fields.followRedirects,
    maxRedirects: figure(fields.maxRedirects),
    degradedAfterMs: parseDuration(fields.degradedAfter) ?? undefined,
    verifyTls: fields.verifyTls,
    certificateWarnDays: figure(fields.certificateWarnDays),
    ipFamily: fields.ipFamily,
    assertions: fields.assertions.map(ruleInput),
  };
}

/** Drops what is undefined: over the wire it is not there either. */
function compact(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/**
 * What the fields ask for, not yet checked: it goes through `CreateMonitorInput`. `stored` is the config of the monitor
 * that is changed; what no field shows stays as it is there.
 */
export function toInput(fields: MonitorFields, stored: Record<string, unknown> = {}) {
  const { type, name, tags, externalId, intervalSeconds, allChannels, channelIds, regions } = fields;
  const { failures, recoveries, retryDelay, degraded } = fields.confirm;
  const own = type === 'http' ? httpInput(fields.http) : otherInput(type, fields);
  const isPinged = type === 'heartbeat';
  const shown = {
    ...own,
    ...(!isPinged && {
      timeoutMs: parseDuration(fields.timeout) ?? undefined,
      confirm: compact({
        ...{ failures, recoveries, retryDelayMs: parseDuration(retryDelay) ?? undefined },
        degraded: type === 'http' ? degraded : undefined,
      }),
    }),
  };
  const config = compact({ ...stored, ...shown });
  // A heartbeat's schedule stands in the interval's place.
  const hasInterval = !isPinged || fields.heartbeat.schedule === 'interval';
  const chosen = { channelIds: allChannels ? null : channelIds, externalId: externalId === '' ? null : externalId };
  // A heartbeat is pinged, not checked from anywhere.
  return {
    ...{ type, name, tags, ...(hasInterval && { intervalSeconds }), ...chosen },
    ...(!isPinged && { regions }),
    config,
  };
}
