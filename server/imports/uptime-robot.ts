import { canParseUrl } from '@/server/platform/schema';
import { type Converted, toInterval, toPeriod, toTimeout } from './conversion';
import { cut, type DraftBuilder, NotCarriedOver, toTags } from './draft';
import { listIn, numberOf, type Row, textOf, toRow, toRows } from './rows';

const OTHER = 'This is no list of monitors of UptimeRobot: it has no monitors.';
const DEFAULT_SECONDS = 300;
const DEFAULT_TIMEOUT_SECONDS = 30;
const GRACE_SECONDS = 60;
const METHODS = ['', 'HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** The ports of the kinds of port monitors. */
const PORTS: Record<string, number> = { 1: 80, 2: 443, 3: 21, 4: 25, 5: 110, 6: 143 };
const PAUSED = 0;

/** The accepted status codes: "404:1_503:0" adds and removes single ones of the default. */
function statusesOf(row: Row): string[] {
  const given = toRow(row.custom_http_statuses);
  const inText = textOf(row, 'custom_http_statuses')
    .split('_')
    .map((part) => part.split(':'));
  const isUp = (code: number) => {
    const [, inList] = inText.find(([each]) => each === String(code)) ?? [];
    if (inList !== undefined) return inList === '1';
    if (Array.isArray(given.up) && given.up.map(String).includes(String(code))) return true;
    if (Array.isArray(given.down) && given.down.map(String).includes(String(code))) return false;
    // There, redirects are followed, and a client error is none of the site's.
    return code >= 200 && code <= 399;
  };
  const ranges: [number, number][] = [];
  for (let code = 100; code <= 599; code += 1) {
    if (!isUp(code)) continue;
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
}

function authOf(row: Row): object | undefined {
  if (textOf(row, 'http_username') === '') return undefined;
  if (numberOf(row, 'http_auth_type') === 2) throw new NotCarriedOver('Digest authentication is not supported.');
  return { kind: 'basic', username: textOf(row, 'http_username'), password: textOf(row, 'http_password') };
}

function headersOf(row: Row): Record<string, string> {
  const entries = Object.entries(toRow(row.custom_http_headers)).map(([name, value]) => [name, String(value)]);
  const headers: Record<string, string> = Object.fromEntries(entries);
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  if (textOf(row, 'post_value') !== '' && !hasType) {
    const isForm = numberOf(row, 'post_content_type') === 0;
    headers['content-type'] = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  }
  return headers;
}

/** The rule of a keyword. There, a keyword says when to alert: if it exists (1) or not (2). */
function keywordRule(row: Row, notes: string[]): object {
  if (numberOf(row, 'keyword_case_type') === 1) notes.push('Upper and lower case of its keyword matter here.');
  const operator = numberOf(row, 'keyword_type') === 1 ? 'notContains' : 'contains';
  return { source: 'body', operator, value: textOf(row, 'keyword_value') };
}

function toHttp(row: Row, isKeyword: boolean): Converted {
  const notes: string[] = [];
  const auth = authOf(row);
  const body = textOf(row, 'post_value');
  const config = {
    url: textOf(row, 'url'),
    method: METHODS[numberOf(row, 'http_method') ?? 0] || 'GET',
    headers: headersOf(row),
    ...(body && { body }),
    ...(auth && { auth }),
    expectedStatus: statusesOf(row),
    timeoutMs: toTimeout(1000 * (numberOf(row, 'timeout') || DEFAULT_TIMEOUT_SECONDS), notes),
    assertions: isKeyword ? [keywordRule(row, notes)] : [],
  };
  return { type: 'http', config, notes };
}

/** The host of an address that may be a URL. */
function hostOf(row: Row): string {
  const address = textOf(row, 'url');
  return canParseUrl(address) && address.includes('//')
    ? new URL(address).hostname.replace(/^\[(.*)\]$/, '$1')
    : address;
}

function toTcp(row: Row): Converted {
  const port = numberOf(row, 'port') || PORTS[textOf(row, 'sub_type')];
  if (!port) throw new NotCarriedOver('It has no port.');
  return { type: 'tcp', config: { host: hostOf(row), port }, notes: [] };
}

function toHeartbeat(): Converted {
  return { type: 'heartbeat', config: {}, notes: ['It has a new ping URL. Update the job that pings it.'] };
}

/** The kinds of monitors by their numbers. */
const types: Record<string, { from: string; convert: (row: Row) => Converted }> = {
  1: { from: 'HTTP(s)', convert: (row) => toHttp(row, false) },
  2: { from: 'keyword', convert: (row) => toHttp(row, true) },
  3: { from: 'ping', convert: (row) => ({ type: 'ping', config: { host: hostOf(row) }, notes: [] }) },
  4: { from: 'port', convert: toTcp },
  5: { from: 'heartbeat', convert: toHeartbeat },
};

/** Reads the monitors of an account of UptimeRobot, as version 2 of its API lists them. */
export function readUptimeRobot(file: Buffer, builder: DraftBuilder): void {
  const monitors = listIn(file, 'monitors', OTHER);
  // An account has one sequence of IDs with all others.
  builder.draft.instance = 'account';
  for (const row of monitors) {
    const { from, convert } = types[textOf(row, 'type')] ?? {
      from: textOf(row, 'type').slice(0, 20) || 'unknown',
      convert: null,
    };
    const name = cut(textOf(row, 'friendly_name'), 120) || 'Monitor';
    builder.addMonitor({ key: textOf(row, 'id').slice(0, 40), name, from }, () => {
      if (!convert) throw new NotCarriedOver('There is no such monitor type.');
      const { type, config, notes } = convert(row);
      const seconds = numberOf(row, 'interval') || DEFAULT_SECONDS;
      const period = type === 'heartbeat' ? toPeriod(seconds, GRACE_SECONDS, notes) : null;
      const input = {
        type,
        config: period ? { graceSeconds: period.graceSeconds } : config,
        name,
        intervalSeconds: period?.intervalSeconds ?? toInterval(seconds, notes),
        tags: toTags(toRows(row.tags).map((tag) => textOf(tag, 'name'))),
        isActive: numberOf(row, 'status') !== PAUSED,
      };
      return { input, channelKeys: null, pingToken: null, days: [], notes };
    });
  }
  builder.draft.notes.push('Alert contacts are not in the file: each monitor alerts all channels of the team.');
  builder.draft.notes.push('Maintenance, status pages and history are not carried over.');
  if (monitors.length >= 50)
    builder.draft.notes.push('The API lists 50 monitors at a time: import the next with &offset=50.');
}
