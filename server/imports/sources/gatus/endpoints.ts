import type { RecordType } from '@/server/monitor-types/schema';
import { type Converted, conversionOf, toTimeout } from '../../convert/conversion';
import { toHeaders, toOauth2 } from '../../convert/http';
import { type Row, toRow } from '../../convert/rows';
import { NotCarriedOver } from '../../draft';
import { type Rules, toRules } from './conditions';
import { durationOf, isOn, literal, textOf, textsOf } from './fields';

/** An endpoint with the settings that all types use. */
interface Endpoint {
  row: Row;
  client: Row;
  url: string;
  /** The URL without its scheme. */
  rest: string;
  rules: Rules;
  body: string;
  notes: string[];
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** The least timeout of a ping monitor that sends one packet. */
const LEAST_PING_MS = 200;
const LEAST_TIMEOUT_MS = 100;

/**
 * Replaces the placeholders of a request's body that have the same value in each request.
 * @throws NotCarriedOver for placeholders whose values differ by request
 */
function fillIn(text: string, row: Row): string {
  const filled = text
    .replaceAll('[ENDPOINT_NAME]', () => textOf(row, 'name'))
    .replaceAll('[ENDPOINT_GROUP]', () => textOf(row, 'group'))
    .replaceAll('[ENDPOINT_URL]', () => textOf(row, 'url'));
  const [other] = /\[(?:LOCAL_ADDRESS|CONTEXT|RANDOM_STRING_\d+)\]/.exec(filled) ?? [];
  if (other) throw new NotCarriedOver(`The placeholder ${other} is not supported.`);
  return filled;
}

/**
 * Returns the host and the port of the URL.
 * @param usual the port of a URL without one, if the type has such a port
 * @throws NotCarriedOver if it has no port
 */
function atPort({ rest }: Endpoint, usual?: number): { host: string; port: number } {
  const address = usual === undefined || /:\d+\/?$/.test(rest) ? rest : `${rest}:${usual}`;
  const [, host = '', port = ''] = /^(.*):(\d{1,5})\/?$/.exec(address) ?? [];
  if (host === '') throw new NotCarriedOver('Its URL has no port.');
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/**
 * Returns the timeout of a type other than HTTP. It is at most the limit of the response time, because only HTTP and ping monitors have a rule for that.
 * @throws NotCarriedOver if that limit is below the minimum timeout
 */
function timeoutOf({ client, rules, notes }: Endpoint): number {
  if (rules.slowMs !== null && rules.slowMs < LEAST_TIMEOUT_MS) {
    throw new NotCarriedOver(`A response time below ${LEAST_TIMEOUT_MS} ms is not supported for this type.`);
  }
  const timeoutMs = durationOf(client, 'timeout', DEFAULT_TIMEOUT_MS);
  return toTimeout(Math.min(timeoutMs, rules.slowMs ?? timeoutMs), notes);
}

/** @throws NotCarriedOver for the first of these rules that the endpoint has, because the type does not support it */
function assertNone({ rules }: Endpoint, ...names: ('body' | 'status' | 'certificate')[]): void {
  const found = {
    body: rules.assertions.length > 0,
    status: rules.statuses !== null,
    certificate: rules.certificateDays !== null,
  };
  const messages = {
    body: 'Conditions about the body are not supported for this type.',
    status: 'Conditions about the status are not supported for this type.',
    certificate: 'Conditions about the certificate are not supported for this type. Add a TLS monitor.',
  };
  const first = names.find((name) => found[name]);
  if (first) throw new NotCarriedOver(messages[first]);
}

const verifyOf = ({ client }: Endpoint) => (isOn(client, 'insecure') ? { verifyTls: false } : {});

/**
 * Returns the message that is sent, and the text that the response must contain.
 * @throws NotCarriedOver for other rules about the body
 */
function exchangeOf({ body, rules }: Endpoint): { send?: string; expect?: string } {
  const [rule, ...more] = rules.assertions;
  if (more.length > 0 || (rule && (rule.source !== 'body' || rule.operator !== 'contains'))) {
    throw new NotCarriedOver('Only a condition that the body contains a text is supported for this type.');
  }
  return { ...(body && { send: body }), ...(rule && { expect: String(rule.value) }) };
}

function authOf(client: Row): object | undefined {
  const oauth2 = toRow(client.oauth2);
  if (textOf(oauth2, 'token-url') === '') return undefined;
  return toOauth2({
    tokenUrl: textOf(oauth2, 'token-url'),
    clientId: textOf(oauth2, 'client-id'),
    clientSecret: textOf(oauth2, 'client-secret'),
    scope: textsOf(oauth2, 'scopes').filter(Boolean).join(' '),
  });
}

function headersOf(row: Row): Record<string, string> {
  const given = toRow(row.headers);
  const texts = Object.fromEntries(Object.keys(given).map((name) => [name, textOf(given, name)]));
  return toHeaders(texts, isOn(row, 'graphql') ? 'application/json' : null);
}

function toHttp(endpoint: Endpoint): Converted {
  const { row, client, url, rules, notes } = endpoint;
  const body = isOn(row, 'graphql') ? JSON.stringify({ query: endpoint.body }) : endpoint.body;
  const auth = authOf(client);
  const slow = rules.slowMs === null ? [] : [{ source: 'latency', operator: 'lessThan', value: rules.slowMs }];
  const config = {
    url,
    method: textOf(row, 'method').toUpperCase() || 'GET',
    headers: headersOf(row),
    ...(body && { body }),
    ...(auth && { auth }),
    // Without a condition about it, there every status is accepted.
    expectedStatus: rules.statuses ?? ['100-599'],
    followRedirects: !isOn(client, 'ignore-redirect'),
    timeoutMs: toTimeout(durationOf(client, 'timeout', DEFAULT_TIMEOUT_MS), notes),
    verifyTls: !isOn(client, 'insecure'),
    certificateWarnDays: rules.certificateDays ?? 0,
    assertions: [...rules.assertions, ...slow],
  };
  return { type: 'http', config, notes };
}

function toTcp(endpoint: Endpoint): Converted {
  assertNone(endpoint, 'status', 'certificate');
  const config = { ...atPort(endpoint), ...exchangeOf(endpoint), timeoutMs: timeoutOf(endpoint) };
  return { type: 'tcp', config, notes: endpoint.notes };
}

function toTls(endpoint: Endpoint): Converted {
  if (endpoint.body !== '') throw new NotCarriedOver('A message over TLS is not supported. Use a TCP monitor.');
  assertNone(endpoint, 'status', 'body');
  const warnDays = endpoint.rules.certificateDays ?? 0;
  return {
    type: 'tls',
    config: { ...atPort(endpoint), ...verifyOf(endpoint), warnDays, timeoutMs: timeoutOf(endpoint) },
    notes: endpoint.notes,
  };
}

function toSmtp(endpoint: Endpoint): Converted {
  assertNone(endpoint, 'status', 'body');
  const certificateWarnDays = endpoint.rules.certificateDays ?? 0;
  const server = { security: 'starttls', ...verifyOf(endpoint), certificateWarnDays };
  const config = { ...atPort(endpoint), ...server, timeoutMs: timeoutOf(endpoint) };
  return { type: 'smtp', config, notes: endpoint.notes };
}

/** @throws NotCarriedOver for a login, because a check of Upwatch logs in nowhere */
function toSsh(endpoint: Endpoint): Converted {
  const login = toRow(endpoint.row.ssh);
  if (['username', 'password', 'private-key'].some((name) => textOf(login, name) !== '')) {
    throw new NotCarriedOver('A login with SSH is not supported. Without it, the monitor checks the server only.');
  }
  assertNone(endpoint, 'status', 'body', 'certificate');
  const config = { ...atPort(endpoint, 22), timeoutMs: timeoutOf(endpoint) };
  return { type: 'ssh', config, notes: endpoint.notes };
}

function toPing(endpoint: Endpoint): Converted {
  assertNone(endpoint, 'status', 'body', 'certificate');
  const host = endpoint.rest.replace(/^\[(.*)\]$/, '$1');
  const { slowMs } = endpoint.rules;
  const timeoutMs = Math.max(timeoutOf({ ...endpoint, rules: { ...endpoint.rules, slowMs: null } }), LEAST_PING_MS);
  const config = { host, packetCount: 1, ...(slowMs !== null && { maxRoundTripMs: slowMs }), timeoutMs };
  return { type: 'ping', config, notes: endpoint.notes };
}

function toWebSocket(endpoint: Endpoint): Converted {
  if (endpoint.rules.assertions.length === 0) endpoint.notes.push('A connection is enough here; no answer is needed.');
  assertNone(endpoint, 'status', 'certificate');
  const config = {
    url: endpoint.url,
    headers: headersOf(endpoint.row),
    ...exchangeOf(endpoint),
    ...verifyOf(endpoint),
    timeoutMs: timeoutOf(endpoint),
  };
  return { type: 'websocket', config, notes: endpoint.notes };
}

/** Returns whether an assertion requires the health status SERVING, which a gRPC monitor checks anyway. */
const isServing = ({ property, operator, value }: Rules['assertions'][number]) =>
  property === '$.status' && operator === 'equals' && value === 'SERVING';

function toGrpc(given: Endpoint): Converted {
  const assertions = given.rules.assertions.filter((assertion) => !isServing(assertion));
  const endpoint = { ...given, rules: { ...given.rules, assertions } };
  if (assertions.length === given.rules.assertions.length) {
    endpoint.notes.push('It is up only while its health service reports SERVING.');
  }
  assertNone(endpoint, 'status', 'body', 'certificate');
  const tls = endpoint.url.startsWith('grpcs:');
  const config = { ...atPort(endpoint), tls, ...verifyOf(endpoint), timeoutMs: timeoutOf(endpoint) };
  return { type: 'grpc', config, notes: endpoint.notes };
}

function toDns(endpoint: Endpoint): Converted {
  assertNone(endpoint, 'status', 'certificate');
  const query = toRow(endpoint.row.dns);
  const { answers } = endpoint.rules;
  const config = {
    host: textOf(query, 'query-name').replace(/\.$/, ''),
    recordType: textOf(query, 'query-type').toUpperCase() as RecordType,
    resolver: endpoint.url.replace(/:53$/, ''),
    ...(answers && { expect: { match: 'any', values: answers } }),
    timeoutMs: timeoutOf(endpoint),
  };
  return { type: 'dns', config, notes: endpoint.notes };
}

const schemes: Record<string, (endpoint: Endpoint) => Converted> = {
  http: toHttp,
  https: toHttp,
  tcp: toTcp,
  tls: toTls,
  starttls: toSmtp,
  ssh: toSsh,
  icmp: toPing,
  ws: toWebSocket,
  wss: toWebSocket,
  grpc: toGrpc,
  grpcs: toGrpc,
};

/** What to use instead of types that Upwatch lacks. */
const instead: Record<string, string> = {
  udp: 'UDP is not supported.',
  sctp: 'SCTP is not supported.',
};

const schemeOf = (row: Row) =>
  /^([a-z]+):\/\//i.exec(typeof row.url === 'string' ? row.url : '')?.[1]?.toLowerCase() ?? '';
const isDns = (row: Row) => Object.keys(toRow(row.dns)).length > 0;

/** Returns the name of an endpoint's type in Gatus. */
export const typeLabel = (row: Row) => (isDns(row) ? 'dns' : schemeOf(row).slice(0, 20)) || 'unknown';

/** @throws NotCarriedOver for settings of the client that affect the check and have no counterpart */
function assertPlainClient(client: Row): void {
  if (textOf(client, 'proxy-url') !== '') throw new NotCarriedOver('Checks through a proxy are not supported.');
  if (textOf(client, 'tunnel') !== '') throw new NotCarriedOver('Checks through an SSH tunnel are not supported.');
  if (textOf(client, 'dns-resolver') !== '') throw new NotCarriedOver('A DNS resolver of its own is not supported.');
  if (textOf(toRow(client.tls), 'certificate-file') !== '') {
    throw new NotCarriedOver(
      'Its client certificate is in a file of Gatus. Create an HTTP monitor and enter it there.',
    );
  }
  if (textOf(toRow(client['identity-aware-proxy']), 'audience') !== '') {
    throw new NotCarriedOver('Google Identity-Aware Proxy is not supported.');
  }
}

/**
 * Converts an endpoint.
 * @throws NotCarriedOver
 */
export function toMonitor(row: Row): Converted {
  const scheme = schemeOf(row);
  const convert = isDns(row) ? toDns : conversionOf(schemes, scheme, instead);
  const client = toRow(row.client);
  assertPlainClient(client);
  const url = textOf(row, 'url');
  const rules = toRules(textsOf(row, 'conditions'), isDns(row) ? 'dns' : scheme === 'ssh' ? 'ssh' : 'other');
  const body = fillIn(literal(typeof row.body === 'string' ? row.body : ''), row);
  return convert({ row, client, url, rest: url.slice(scheme.length + 3), rules, body, notes: [...rules.notes] });
}
