import { definitionOf } from '@/server/monitor-types/schema';
import { type Converted, clamp, conversionOf } from '../../convert/conversion';
import { splitUrl, toHeaders, toOauth2 } from '../../convert/http';
import { type Row, toRow } from '../../convert/rows';
import { NotCarriedOver } from '../../draft';
import { type Convert, confirmOf, equalityOf, hostOf, jsonPathOf, retrySecondsOf, timeoutOf } from './conversion';
import { isOn, jsonOf, numberOf, textOf } from './rows';
import { serviceTypes } from './services';

function contentTypeOf(row: Row): string {
  const encoding = textOf(row, 'http_body_encoding');
  if (encoding === 'xml') return 'text/xml; charset=utf-8';
  return encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
}

function authOf(row: Row): object | undefined {
  const method = textOf(row, 'auth_method') || textOf(row, 'authMethod');
  const username = textOf(row, 'basic_auth_user');
  // Databases without the column are from versions that had only basic authentication.
  const hasMethod = 'auth_method' in row || 'authMethod' in row;
  if (method === 'basic' || (!hasMethod && username !== '')) {
    return { kind: 'basic', username, password: textOf(row, 'basic_auth_pass') };
  }
  if (method === 'bearer') return { kind: 'bearer', token: textOf(row, 'bearer_token') };
  if (method === 'oauth2-cc') {
    return toOauth2({
      tokenUrl: textOf(row, 'oauth_token_url'),
      clientId: textOf(row, 'oauth_client_id'),
      clientSecret: textOf(row, 'oauth_client_secret'),
      scope: textOf(row, 'oauth_scopes'),
      audience: textOf(row, 'oauth_audience'),
      isInBody: textOf(row, 'oauth_auth_method') === 'client_secret_post',
    });
  }
  if (method === 'ntlm') throw new NotCarriedOver('NTLM authentication is not supported.');
  return undefined;
}

/** Returns the client certificate with its key, and the authority, which Uptime Kuma uses with this method of authentication only. */
function certificatesOf(row: Row) {
  if ((textOf(row, 'auth_method') || textOf(row, 'authMethod')) !== 'mtls') return {};
  const [cert, key, ca] = ['Cert', 'Key', 'Ca'].map((name) => {
    return textOf(row, `tls_${name.toLowerCase()}`) || textOf(row, `tls${name}`);
  });
  return { clientCertificate: cert, clientKey: key, ...(ca && { caCertificate: ca }) };
}

const FAMILIES: Record<string, string> = { ipv4: '4', ipv6: '6' };

function statusesOf(row: Row): string[] | undefined {
  const list = jsonOf(row, 'accepted_statuscodes_json') ?? jsonOf(row, 'accepted_statuscodes');
  return Array.isArray(list) && list.length > 0 ? list.map(String) : undefined;
}

/** Converts an HTTP monitor, with these assertions. */
function toHttp(row: Row, assertions: object[]): Converted {
  if (numberOf(row, 'proxy_id')) throw new NotCarriedOver('Checks through a proxy are not supported.');
  if (isOn(row, 'cache_bust')) throw new NotCarriedOver('Cache busting is not supported.');
  const notes: string[] = [];
  const { url, auth: ofUrl } = splitUrl(textOf(row, 'url'));
  const body = textOf(row, 'body');
  const headers = toHeaders(toRow(jsonOf(row, 'headers')), body === '' ? null : contentTypeOf(row));
  const auth = authOf(row) ?? ofUrl;
  const redirects = numberOf(row, 'maxredirects') ?? 10;
  const expectedStatus = statusesOf(row);
  const ipFamily = FAMILIES[textOf(row, 'ip_family')];
  const config = {
    url,
    method: textOf(row, 'method').toUpperCase() || 'GET',
    headers,
    ...(body && { body }),
    ...(auth && { auth }),
    ...certificatesOf(row),
    ...(expectedStatus && { expectedStatus }),
    followRedirects: redirects > 0,
    maxRedirects: clamp(redirects, 0, 20),
    timeoutMs: timeoutOf(row, notes),
    verifyTls: !isOn(row, 'ignore_tls'),
    ...(!isOn(row, 'expiry_notification') && { certificateWarnDays: 0 }),
    ...(ipFamily && { ipFamily }),
    assertions,
    confirm: confirmOf(row, notes),
  };
  return { type: 'http', config, notes };
}

const OF_JSON =
  'Uptime Kuma removes the spaces of a JSON response before it looks for the keyword. Here it must be as in the response.';

function toKeyword(row: Row): Converted {
  const operator = isOn(row, 'invert_keyword') ? 'notContains' : 'contains';
  const value = String(row.keyword ?? '');
  const converted = toHttp(row, [{ source: 'body', operator, value }]);
  if (/["{}[\]]/.test(value)) converted.notes.push(OF_JSON);
  return converted;
}

const OPERATORS: Record<string, string> = {
  '==': 'equals',
  '!=': 'notEquals',
  '>': 'greaterThan',
  '<': 'lessThan',
  contains: 'contains',
};

function toJsonQuery(row: Row): Converted {
  const property = jsonPathOf(row);
  const sign = textOf(row, 'json_path_operator') || '==';
  const operator = OPERATORS[sign];
  if (operator === undefined) throw new NotCarriedOver(`Rules have no operator ${sign}.`);
  return toHttp(row, [{ source: 'json', property, operator, value: textOf(row, 'expected_value') }]);
}

function toTcp(row: Row): Converted {
  if (textOf(row, 'expected_tls_alert') !== '' && textOf(row, 'expected_tls_alert') !== 'none') {
    throw new NotCarriedOver('Expected TLS alerts are not supported.');
  }
  const security = textOf(row, 'smtp_security');
  if (security === 'starttls') throw new NotCarriedOver('STARTTLS of a TCP port is not supported.');
  const notes: string[] = [];
  const confirm = confirmOf(row, notes);
  const config = {
    host: hostOf(row),
    port: numberOf(row, 'port'),
    tls: security === 'secure',
    timeoutMs: timeoutOf(row, notes),
    confirm,
  };
  return { type: 'tcp', config, notes };
}

/** The default size of packets, there as here. */
const USUAL_BYTES = 56;

function toPing(row: Row): Converted {
  const notes: string[] = [];
  const packetCount = clamp(numberOf(row, 'ping_count') ?? 1, 1, 20);
  // In Uptime Kuma, one reply is enough.
  const maxLossPercent = packetCount > 1 ? 99 : 0;
  const timeoutMs = Math.max(timeoutOf(row, notes), packetCount * 200);
  const bytes = numberOf(row, 'packet_size') ?? USUAL_BYTES;
  const packetBytes = clamp(bytes, 16, 1_472);
  if (packetBytes !== bytes) notes.push(`Its packet size of ${bytes} bytes becomes ${packetBytes}.`);
  const packets = { packetCount, maxLossPercent, ...(packetBytes !== USUAL_BYTES && { packetBytes }) };
  return { type: 'ping', config: { host: hostOf(row), ...packets, timeoutMs, confirm: confirmOf(row, notes) }, notes };
}

function toDns(row: Row): Converted {
  const notes: string[] = [];
  const [server = '', ...others] = textOf(row, 'dns_resolve_server')
    .split(',')
    .map((each) => each.trim());
  const port = numberOf(row, 'port') ?? 53;
  const isAddress = /^[\d.]+$|^[\da-f:]+$/i.test(server);
  if (server !== '' && !isAddress) notes.push(`The name server ${server} is no IP address. The default ones are used.`);
  if (isAddress && others.some(Boolean)) notes.push(`Only the first name server, ${server}, is used.`);
  const address = server.includes(':') ? `[${server}]` : server;
  const resolver = port === 53 ? server : `${address}:${port}`;
  const record = equalityOf(row, 'record');
  const config = {
    host: hostOf(row),
    recordType: textOf(row, 'dns_resolve_type').toUpperCase() || 'A',
    ...(isAddress && { resolver }),
    ...(record !== undefined && { expect: { match: 'any', values: [record] } }),
    timeoutMs: timeoutOf(row, notes),
    confirm: confirmOf(row, notes),
  };
  return { type: 'dns', config, notes };
}

/** Converts a push monitor. In Uptime Kuma, a push is late after the interval and all retries, so the retries become the grace period. */
function toHeartbeat(row: Row): Converted {
  const retries = numberOf(row, 'maxretries') ?? 0;
  const graceSeconds = clamp(retries * retrySecondsOf(row), 10, 31 * 86_400);
  return { type: 'heartbeat', config: { graceSeconds }, notes: [] };
}

function toSmtp(row: Row): Converted {
  const notes: string[] = [];
  const wanted = textOf(row, 'smtp_security');
  const security = wanted === 'secure' ? 'tls' : wanted === 'starttls' ? 'starttls' : 'none';
  const config = { host: hostOf(row), port: numberOf(row, 'port') ?? 25, security, timeoutMs: timeoutOf(row, notes) };
  return { type: 'smtp', config: { ...config, confirm: confirmOf(row, notes) }, notes };
}

function toWebSocket(row: Row): Converted {
  const notes: string[] = [];
  const protocol = textOf(row, 'ws_subprotocol');
  const headers = protocol === '' ? {} : { 'Sec-WebSocket-Protocol': protocol };
  const config = { url: textOf(row, 'url'), headers, timeoutMs: timeoutOf(row, notes), confirm: confirmOf(row, notes) };
  return { type: 'websocket', config, notes };
}

/** The types that have a counterpart. */
const types: Record<string, Convert> = {
  http: (row) => toHttp(row, []),
  keyword: toKeyword,
  'json-query': toJsonQuery,
  port: toTcp,
  ping: toPing,
  dns: toDns,
  push: toHeartbeat,
  smtp: toSmtp,
  'websocket-upgrade': toWebSocket,
  ...serviceTypes,
};

/** What to use instead of types that have none. */
const instead: Record<string, string> = {
  docker: 'Containers are not supported. Use an HTTP monitor, or a heartbeat that a health check pings.',
  'real-browser': 'Checks in a browser are not supported. Use an HTTP monitor with rules.',
  'grpc-keyword': 'Calls of own methods are not supported. Use a gRPC monitor for the health service.',
  gamedig: 'Game server queries are not supported. Use a ping or TCP monitor.',
  steam: 'Game server queries are not supported. Use a ping or TCP monitor.',
  manual: 'A status that is set by hand is not supported. Use a component of a status page.',
};

/**
 * Converts a monitor.
 * @throws NotCarriedOver
 */
export function toMonitor(row: Row): Converted {
  const converted = conversionOf(types, textOf(row, 'type'), instead)(row);
  if (!isOn(row, 'upside_down')) return converted;
  if (!('upsideDown' in definitionOf(converted.type).form.fields)) {
    throw new NotCarriedOver('Upside down mode is not supported for this type.');
  }
  return { ...converted, config: { ...converted.config, upsideDown: true } };
}

/** Returns the name of a monitor's type in Uptime Kuma. */
export const typeLabel = (row: Row) => textOf(row, 'type').slice(0, 40) || 'unknown';
