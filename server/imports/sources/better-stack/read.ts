import { allIn } from '../../convert/all-in';
import {
  type Converted,
  conversionOf,
  toInterval,
  toMailbox,
  toPeriod,
  toSmtpServer,
  toTimeout,
} from '../../convert/conversion';
import { hostAndPortOf, splitUrl, toHeaders } from '../../convert/http';
import { nameOfAddress } from '../../convert/name';
import { numberOf, type Row, textOf, toRow, toRows, verbatimOf } from '../../convert/rows';
import { cut, type DraftBuilder, NotCarriedOver } from '../../draft';

const OTHER = 'This file is not a list of monitors or heartbeats of Better Stack: it has no data.';
const DEFAULT_SECONDS = 180;
const DAY_SECONDS = 86_400;
/** The least timeout of a ping monitor. */
const LEAST_PING_MS = 600;
/** All regions, which is the default there. */
const REGIONS = ['us', 'eu', 'as', 'au'];
const FAMILIES: Record<string, string> = { ipv4: '4', ipv6: '6' };

function authOf(row: Row): object | undefined {
  const username = textOf(row, 'auth_username');
  return username === '' ? undefined : { kind: 'basic', username, password: verbatimOf(row, 'auth_password') };
}

function toHttp(row: Row, expected: { expectedStatus?: string[]; assertions?: object[] }): Converted {
  const notes = row.remember_cookies === true ? ['Cookies are not kept across redirects.'] : [];
  const headers = toRows(row.request_headers).map((each) => [textOf(each, 'name'), textOf(each, 'value')]);
  const { url, auth: inUrl } = splitUrl(textOf(row, 'url'));
  const auth = authOf(row) ?? inUrl;
  const body = verbatimOf(row, 'request_body');
  const seconds = numberOf(row, 'request_timeout');
  const ipFamily = FAMILIES[textOf(row, 'ip_version')];
  const config = {
    url,
    method: textOf(row, 'http_method').toUpperCase() || 'GET',
    headers: toHeaders(Object.fromEntries(headers)),
    ...(body && { body }),
    ...(auth && { auth }),
    ...expected,
    followRedirects: row.follow_redirects !== false,
    verifyTls: row.verify_ssl !== false,
    certificateWarnDays: numberOf(row, 'ssl_expiration') ?? 0,
    ...(ipFamily && { ipFamily }),
    ...(seconds !== null && { timeoutMs: toTimeout(1_000 * seconds, notes) }),
  };
  return { type: 'http', config, notes };
}

/** Converts a monitor that requires the presence or absence of a text. Accepts any status code, as Better Stack does. */
function toKeyword(row: Row, operator: 'contains' | 'notContains'): Converted {
  const value = verbatimOf(row, 'required_keyword');
  if (value === '') throw new NotCarriedOver('It has no keyword.');
  return toHttp(row, { expectedStatus: ['100-599'], assertions: [{ source: 'body', operator, value }] });
}

function toStatus(row: Row): Converted {
  const codes = Array.isArray(row.expected_status_codes) ? row.expected_status_codes.map(String) : [];
  if (codes.length === 0) throw new NotCarriedOver('It has no expected status codes.');
  return toHttp(row, { expectedStatus: codes });
}

/** Returns the timeout of a type other than HTTP, which the file has in milliseconds. */
function timeoutOf(row: Row, notes: string[]): { timeoutMs?: number } {
  const timeoutMs = numberOf(row, 'request_timeout');
  return timeoutMs === null ? {} : { timeoutMs: toTimeout(timeoutMs, notes) };
}

/**
 * Returns the only port.
 * @throws NotCarriedOver for none, or several
 */
function portOf(row: Row): number {
  const ports = textOf(row, 'port').split(',');
  if (ports.length > 1) throw new NotCarriedOver('It has several ports. Create one monitor for each.');
  if (!/^\d{1,5}$/.test(ports[0] ?? '')) throw new NotCarriedOver('It has no port.');
  return Number(ports[0]);
}

const hostOf = (row: Row) => hostAndPortOf(textOf(row, 'url')).host;

function toPing(row: Row): Converted {
  const notes: string[] = [];
  const { timeoutMs = LEAST_PING_MS } = timeoutOf(row, notes);
  return { type: 'ping', config: { host: hostOf(row), timeoutMs: Math.max(timeoutMs, LEAST_PING_MS) }, notes };
}

function toTcp(row: Row): Converted {
  const notes: string[] = [];
  return { type: 'tcp', config: { host: hostOf(row), port: portOf(row), ...timeoutOf(row, notes) }, notes };
}

function toSmtp(row: Row): Converted {
  const notes: string[] = [];
  const port = portOf(row);
  const server = { ...toSmtpServer(port, false), ...(row.verify_ssl === false && { verifyTls: false }) };
  return { type: 'smtp', config: { host: hostOf(row), ...server, ...timeoutOf(row, notes) }, notes };
}

const toMailboxes =
  (protocol: 'imap' | 'pop3') =>
  (row: Row): Converted => {
    const notes: string[] = [];
    const rest = { host: hostOf(row), verifyTls: row.verify_ssl !== false, ...timeoutOf(row, notes) };
    return toMailbox({ protocol, port: portOf(row), isEncrypted: null }, rest, notes);
  };

function toDns(row: Row): Converted {
  const notes = ['It checks that the name has an A record.'];
  const config = {
    host: textOf(row, 'request_body'),
    recordType: 'A',
    resolver: hostOf(row),
    ...timeoutOf(row, notes),
  };
  return { type: 'dns', config, notes };
}

const types: Record<string, (row: Row) => Converted> = {
  status: (row) => toHttp(row, {}),
  expected_status_code: toStatus,
  keyword: (row) => toKeyword(row, 'contains'),
  keyword_absence: (row) => toKeyword(row, 'notContains'),
  ping: toPing,
  tcp: toTcp,
  smtp: toSmtp,
  imap: toMailboxes('imap'),
  pop: toMailboxes('pop3'),
  dns: toDns,
};

/** What to use instead of types that Upwatch lacks. */
const instead: Record<string, string> = {
  udp: 'UDP is not supported.',
  playwright: 'Checks in a browser are not supported. Use an HTTP monitor with rules.',
};

function notesOf(row: Row): string[] {
  const maintenance = 'Its daily maintenance is not carried over. Create a maintenance window.';
  const regions = Array.isArray(row.regions) ? row.regions : [];
  const isLimited = regions.length > 0 && REGIONS.some((region) => !regions.includes(region));
  return [
    ...(isLimited ? ['Its regions are not carried over.'] : []),
    ...(textOf(row, 'maintenance_from') === '' ? [] : [maintenance]),
    ...(numberOf(row, 'domain_expiration') === null
      ? []
      : ['The expiry of its domain is not checked by this monitor. Create a domain monitor.']),
  ];
}

function toMonitor(row: Row) {
  const type = textOf(row, 'monitor_type');
  const { notes, ...typed } = conversionOf(types, type, instead)(row);
  const intervalSeconds = toInterval(numberOf(row, 'check_frequency') ?? DEFAULT_SECONDS, notes);
  return { ...typed, intervalSeconds, notes: [...notes, ...notesOf(row)] };
}

function toHeartbeat(row: Row) {
  const notes = ['It has a new ping URL. Update the job that pings it.'];
  const seconds = numberOf(row, 'period') ?? DAY_SECONDS;
  const { intervalSeconds, graceSeconds } = toPeriod(seconds, numberOf(row, 'grace') ?? 0, notes);
  return { type: 'heartbeat', config: { graceSeconds }, intervalSeconds, notes };
}

const isPaused = (row: Row) =>
  row.paused === true || textOf(row, 'paused_at') !== '' || textOf(row, 'status') === 'paused';

/** Reads the monitors and heartbeats of Better Stack, as version 2 of its API lists them. */
export function readBetterStack(file: Buffer, builder: DraftBuilder): void {
  // All accounts share one sequence of IDs, so that IDs are unique without the account.
  builder.draft.instance = 'account';
  for (const entry of allIn(file, builder, ['data'], OTHER)) {
    const row = toRow(entry.attributes);
    const isHeartbeat = textOf(entry, 'type') === 'heartbeat';
    const from = isHeartbeat ? 'heartbeat' : cut(textOf(row, 'monitor_type'), 40) || 'unknown';
    const given = cut(textOf(row, 'pronounceable_name') || textOf(row, 'name'), 120);
    const name = given || nameOfAddress(textOf(row, 'url')) || 'Monitor';
    const id = cut(textOf(entry, 'id'), 40);
    builder.addMonitor({ key: isHeartbeat ? `heartbeat-${id}` : id, name, from }, () => {
      const { notes, ...typed } = isHeartbeat ? toHeartbeat(row) : toMonitor(row);
      return {
        input: { ...typed, name, isActive: !isPaused(row) },
        notes,
      };
    });
  }
  builder.draft.notes.push(
    'Escalation policies, groups, status pages and history are not in the file: each monitor alerts all channels of the team.',
    'Confirmation and recovery periods are not carried over: the usual confirmation applies.',
  );
}
