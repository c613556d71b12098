import { type Converted, escaped, toInterval, toPeriod, toRanges, toTimeout } from '../../convert/conversion';
import { hostAndPortOf, splitUrl, toHeaders } from '../../convert/http';
import { listIn, numberOf, type Row, textOf, toRow, toRows, verbatimOf } from '../../convert/rows';
import { cut, type DraftBuilder, NotCarriedOver, toTags } from '../../draft';

const OTHER = 'This file is not a list of monitors of UptimeRobot: it has no monitors.';
const DEFAULT_SECONDS = 300;
const DEFAULT_TIMEOUT_SECONDS = 30;
const GRACE_SECONDS = 60;
const METHODS = ['', 'HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** The default port of each sub-type of a port monitor, by its number. */
const PORTS = [0, 80, 443, 21, 25, 110, 143];
const PAUSED = 0;

/** Returns the accepted status codes: 200 to 399, except for codes that "404:1_503:0" (or lists of `up` and `down`) adds or removes. */
function statusesOf(row: Row): string[] {
  const given = toRow(row.custom_http_statuses);
  const inText = textOf(row, 'custom_http_statuses')
    .split('_')
    .map((part) => part.split(':'));
  return toRanges((code) => {
    const [, inList] = inText.find(([each]) => each === String(code)) ?? [];
    if (inList !== undefined) return inList === '1';
    if (Array.isArray(given.up) && given.up.map(String).includes(String(code))) return true;
    if (Array.isArray(given.down) && given.down.map(String).includes(String(code))) return false;
    return code >= 200 && code <= 399;
  });
}

function authOf(row: Row): object | undefined {
  if (textOf(row, 'http_username') === '') return undefined;
  if (numberOf(row, 'http_auth_type') === 2) throw new NotCarriedOver('Digest authentication is not supported.');
  return { kind: 'basic', username: textOf(row, 'http_username'), password: verbatimOf(row, 'http_password') };
}

function contentTypeOf(row: Row): string {
  if (isForm(row)) return 'application/x-www-form-urlencoded';
  return numberOf(row, 'post_content_type') === 1 ? 'application/json' : 'text/html';
}

/** Returns whether the body is a form of names and values instead of text. */
const isForm = (row: Row) => numberOf(row, 'post_type') === 1;

function bodyOf(row: Row): string {
  const value = row.post_value;
  const isObject = typeof value === 'object' && value !== null;
  if (!isForm(row)) return isObject ? JSON.stringify(value) : verbatimOf(row, 'post_value');
  const fields = isObject ? toRow(value) : toRow(JSON.parse(textOf(row, 'post_value') || '{}'));
  return new URLSearchParams(Object.entries(fields).map(([name, each]) => [name, String(each)])).toString();
}

/** Converts the keyword to a rule. In UptimeRobot, its type says when to alert: if the keyword exists (1) or not (2). */
function keywordRule(row: Row): object {
  const value = verbatimOf(row, 'keyword_value');
  const isAlertedIfExists = numberOf(row, 'keyword_type') === 1;
  if (numberOf(row, 'keyword_case_type') !== 1) {
    return { source: 'body', operator: isAlertedIfExists ? 'notContains' : 'contains', value };
  }
  return { source: 'body', operator: isAlertedIfExists ? 'notMatches' : 'matches', value: `(?i)${escaped(value)}` };
}

function toHttp(row: Row, isKeyword: boolean): Converted {
  const notes: string[] = [];
  const { url, auth: inUrl } = splitUrl(textOf(row, 'url'));
  const auth = authOf(row) ?? inUrl;
  const body = bodyOf(row);
  const config = {
    url,
    method: METHODS[numberOf(row, 'http_method') ?? 0] || 'GET',
    headers: toHeaders(toRow(row.custom_http_headers), row.post_value ? contentTypeOf(row) : null),
    ...(body && { body }),
    ...(auth && { auth }),
    expectedStatus: statusesOf(row),
    timeoutMs: toTimeout(1000 * (numberOf(row, 'timeout') || DEFAULT_TIMEOUT_SECONDS), notes),
    assertions: isKeyword ? [keywordRule(row)] : [],
  };
  return { type: 'http', config, notes };
}

function toTcp(row: Row): Converted {
  const port = numberOf(row, 'port') || PORTS[numberOf(row, 'sub_type') ?? 0];
  if (!port) throw new NotCarriedOver('It has no port.');
  return { type: 'tcp', config: { host: hostAndPortOf(textOf(row, 'url')).host, port }, notes: [] };
}

function toPing(row: Row): Converted {
  return { type: 'ping', config: { host: hostAndPortOf(textOf(row, 'url')).host }, notes: [] };
}

function toHeartbeat(): Converted {
  return { type: 'heartbeat', config: {}, notes: ['It has a new ping URL. Update the job that pings it.'] };
}

/** The monitor types by their numbers. */
const types: Record<string, { from: string; convert: (row: Row) => Converted }> = {
  1: { from: 'HTTP(s)', convert: (row) => toHttp(row, false) },
  2: { from: 'keyword', convert: (row) => toHttp(row, true) },
  3: { from: 'ping', convert: toPing },
  4: { from: 'port', convert: toTcp },
  5: { from: 'heartbeat', convert: toHeartbeat },
};

/** Reads the monitors of an account of UptimeRobot, as version 2 of its API lists them. */
export function readUptimeRobot(file: Buffer, builder: DraftBuilder): void {
  const monitors = listIn(file, 'monitors', OTHER);
  // All accounts share one sequence of IDs, so that IDs are unique without the account.
  builder.draft.instance = 'account';
  for (const row of monitors) {
    const number = textOf(row, 'type');
    const known = Object.hasOwn(types, number) ? types[number] : undefined;
    const from = known?.from ?? (number.slice(0, 20) || 'unknown');
    const name = cut(textOf(row, 'friendly_name'), 120) || 'Monitor';
    builder.addMonitor({ key: textOf(row, 'id').slice(0, 40), name, from }, () => {
      if (!known) throw new NotCarriedOver('There is no such monitor type.');
      const { type, config, notes } = known.convert(row);
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
      return { input, notes };
    });
  }
  builder.draft.notes.push('Alert contacts are not in the file: each monitor alerts all channels of the team.');
  builder.draft.notes.push('Maintenance, status pages and history are not carried over.');
  if (monitors.length >= 50)
    builder.draft.notes.push('The API lists 50 monitors at a time: import the next with &offset=50.');
}
