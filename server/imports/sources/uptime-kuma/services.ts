import { canParseUrl, percentDecoded } from '@/server/platform/schema';
import type { Converted } from '../../convert/conversion';
import { type Row, toRows } from '../../convert/rows';
import { NotCarriedOver } from '../../draft';
import { type Convert, confirmOf, equalityOf, hostOf, jsonPathOf, timeoutOf } from './conversion';
import { isOn, jsonOf, numberOf, textOf } from './rows';

/** The parts of a connection string. */
interface Connection {
  scheme: string;
  config: { host: string; port?: number; username?: string; password?: string };
  /** The first part of the path, which names a database. */
  name: string;
  parameters: URLSearchParams;
}

/**
 * Parses a connection string. Errors do not quote it, because it may contain a password.
 * @throws NotCarriedOver
 */
function connectionOf(row: Row, schemes: string[]): Connection {
  const text = textOf(row, 'database_connection_string');
  const [, scheme = ''] = /^([a-z]+):\/\//i.exec(text) ?? [];
  if (!schemes.includes(scheme.toLowerCase()) || !canParseUrl(text)) {
    throw new NotCarriedOver(`The connection string is no URL that starts with ${schemes.join(':// or ')}://.`);
  }
  const { hostname, port, username, password, pathname, searchParams } = new URL(text);
  const host = percentDecoded(hostname).replace(/^\[(.*)\]$/, '$1');
  if (host === '' || host.startsWith('/'))
    throw new NotCarriedOver('Connections through a local socket are not supported.');
  return {
    scheme: scheme.toLowerCase(),
    config: {
      host,
      ...(port && { port: Number(port) }),
      ...(username && { username: percentDecoded(username) }),
      ...(password && { password: percentDecoded(password) }),
    },
    name: percentDecoded(pathname.slice(1)),
    parameters: searchParams,
  };
}

/** Returns the timeout and the confirmation, which all types have. */
function timesOf(row: Row, notes: string[]) {
  return { timeoutMs: timeoutOf(row, notes), confirm: confirmOf(row, notes) };
}

function toRedis(row: Row): Converted {
  const notes: string[] = [];
  const { scheme, config } = connectionOf(row, ['redis', 'rediss']);
  const tls = scheme === 'rediss';
  const verifyTls = !isOn(row, 'ignore_tls');
  return { type: 'redis', config: { ...config, tls, verifyTls, ...timesOf(row, notes) }, notes };
}

/** Returns the settings of a database monitor: the connection, the query, and the value that its result must have. */
function queryOf(row: Row, { config, name }: Connection) {
  if (config.username === undefined) throw new NotCarriedOver('The connection string names no user.');
  const query = textOf(row, 'database_query');
  const expectedValue = equalityOf(row, 'result');
  return {
    ...config,
    ...(name && { database: name }),
    ...(query && { query }),
    ...(expectedValue !== undefined && { expectedValue }),
  };
}

/** Converts the TLS mode as Uptime Kuma's PostgreSQL driver reads it: every mode but `disable` and `no-verify` verifies the certificate. */
function postgresTls(parameters: URLSearchParams): { tls: boolean; verifyTls: boolean } {
  if (parameters.has('sslrootcert') || parameters.has('sslcert')) {
    throw new NotCarriedOver('Certificates of your own are not supported.');
  }
  const mode = parameters.get('sslmode') ?? (/^(true|1)$/.test(parameters.get('ssl') ?? '') ? 'require' : 'disable');
  return { tls: mode !== 'disable', verifyTls: mode !== 'no-verify' };
}

function toPostgresql(row: Row): Converted {
  const notes: string[] = [];
  const connection = connectionOf(row, ['postgres', 'postgresql']);
  const config = { ...queryOf(row, connection), ...postgresTls(connection.parameters), ...timesOf(row, notes) };
  return { type: 'postgresql', config, notes };
}

function toMysql(row: Row): Converted {
  const notes: string[] = [];
  const connection = connectionOf(row, ['mysql', 'mariadb']);
  const ssl = connection.parameters.get('ssl') ?? '';
  const tls = ssl !== '' && ssl !== 'false';
  const verifyTls = !/"rejectUnauthorized"\s*:\s*false/.test(ssl);
  // Uptime Kuma has a separate password field, which replaces the password of the connection string.
  const password = textOf(row, 'radius_password');
  const login = { ...queryOf(row, connection), ...(password && { password }) };
  return { type: 'mysql', config: { ...login, tls, verifyTls, ...timesOf(row, notes) }, notes };
}

/** Returns the rule for the payload: a text that it must contain, or a value in its JSON; empty without one. */
function payloadRule(row: Row): object {
  if (toRows(jsonOf(row, 'conditions')).length > 0) throw new NotCarriedOver('Conditions are not supported.');
  if (textOf(row, 'mqtt_check_type') === 'json-query') {
    return { jsonPath: jsonPathOf(row), expectedValue: textOf(row, 'expected_value') };
  }
  const expect = textOf(row, 'mqtt_success_message');
  return expect === '' ? {} : { expect };
}

function toMqtt(row: Row): Converted {
  const notes: string[] = [];
  const [, scheme = 'mqtt', host = ''] = /^(?:([a-z]+):\/\/)?(.*)$/is.exec(hostOf(row)) ?? [];
  if (scheme !== 'mqtt' && scheme !== 'mqtts') throw new NotCarriedOver('MQTT over WebSocket is not supported.');
  const username = textOf(row, 'mqtt_username');
  const password = textOf(row, 'mqtt_password');
  const config = {
    host,
    port: numberOf(row, 'port') ?? 1883,
    tls: scheme === 'mqtts',
    ...(username && { username }),
    ...(username && password && { password }),
    topic: textOf(row, 'mqtt_topic'),
    ...payloadRule(row),
    // In Uptime Kuma, a check of this type waits for 80 % of its interval, whatever its timeout is.
    ...timesOf({ ...row, timeout: null }, notes),
  };
  return { type: 'mqtt', config, notes };
}

/** Databases, caches and brokers. */
export const serviceTypes: Record<string, Convert> = {
  redis: toRedis,
  postgres: toPostgresql,
  mysql: toMysql,
  mqtt: toMqtt,
};
