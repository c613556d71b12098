import { completeAddress } from '@/server/monitor-types/schema';
import { allIn } from '../../convert/all-in';
import { type Converted, toInterval, toRanges, toTimeout } from '../../convert/conversion';
import { hostAndPortOf, splitUrl, toHeaders } from '../../convert/http';
import { numberOf, type Row, textOf, toRow } from '../../convert/rows';
import { cut, type DraftBuilder, NotCarriedOver, toTags } from '../../draft';

const OTHER = 'This is no list of uptime tests of StatusCake: it has no data.';
const NO_SETTINGS = 'A list of tests lacks its settings. Save each test, as described.';
const DEFAULT_SECONDS = 300;
const DEFAULT_TIMEOUT_SECONDS = 15;
const WARN_DAYS = 14;

const timeoutOf = (row: Row, notes: string[]) =>
  toTimeout(1_000 * (numberOf(row, 'timeout') || DEFAULT_TIMEOUT_SECONDS), notes);

/** Whether a test has its settings, which a list lacks. */
const hasSettings = (row: Row) => Object.hasOwn(row, 'timeout');

const textsOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

/** The headers, which are JSON in a text. */
function headersOf(row: Row): Row {
  const text = textOf(row, 'custom_header');
  if (text === '') return {};
  try {
    return toRow(JSON.parse(text));
  } catch {
    throw new NotCarriedOver('Its custom header is not valid JSON.');
  }
}

/** The accepted codes: there, a test lists those that are a downtime. */
function statusesOf(row: Row): string[] {
  const down = new Set(textsOf(row.status_codes));
  return down.size === 0 ? ['200-399'] : toRanges((code) => !down.has(String(code)));
}

function rulesOf(row: Row): object[] {
  const value = textOf(row, 'find_string');
  return value === ''
    ? []
    : [{ source: 'body', operator: row.do_not_find === true ? 'notContains' : 'contains', value }];
}

function toHttp(row: Row): Converted {
  const notes: string[] = [];
  if (textOf(row, 'final_endpoint') !== '')
    throw new NotCarriedOver('A rule for the end of redirects is not supported.');
  if (textOf(row, 'post_body') !== '' || Object.keys(toRow(row.post_body)).length > 0) {
    throw new NotCarriedOver('A body of fields is not supported. Use a raw body.');
  }
  if (!hasSettings(row)) notes.push('Its headers, texts, status codes and timeout are not in the list.');
  if (row.use_jar === true) notes.push('Cookies are not kept across redirects.');
  const { url, auth } = splitUrl(completeAddress(textOf(row, 'website_url')));
  const body = textOf(row, 'post_raw');
  const agent = textOf(row, 'user_agent');
  const isHead = textOf(row, 'test_type').toUpperCase() === 'HEAD';
  const config = {
    url,
    method: isHead ? 'HEAD' : body === '' ? 'GET' : 'POST',
    headers: toHeaders({ ...headersOf(row), ...(agent && { 'user-agent': agent }) }),
    ...(body && { body }),
    ...(auth && { auth }),
    ...(hasSettings(row) && { expectedStatus: statusesOf(row) }),
    followRedirects: row.follow_redirects !== false,
    certificateWarnDays: row.enable_ssl_alert === true ? WARN_DAYS : 0,
    timeoutMs: timeoutOf(row, notes),
    assertions: rulesOf(row),
  };
  return { type: 'http', config, notes };
}

const hostOf = (row: Row) => hostAndPortOf(textOf(row, 'website_url')).host;

/** A host with the port of the test, or the usual one of its type. */
function atPort(row: Row, usual?: number) {
  const port = numberOf(row, 'port') || hostAndPortOf(textOf(row, 'website_url')).port || usual;
  if (!port) throw new NotCarriedOver(hasSettings(row) ? 'It has no port.' : NO_SETTINGS);
  return { host: hostOf(row), port };
}

function toTcp(row: Row): Converted {
  const notes: string[] = [];
  return { type: 'tcp', config: { ...atPort(row), timeoutMs: timeoutOf(row, notes) }, notes };
}

function toSsh(row: Row): Converted {
  const notes = ['It expects the greeting SSH-.'];
  return { type: 'tcp', config: { ...atPort(row, 22), expect: 'SSH-', timeoutMs: timeoutOf(row, notes) }, notes };
}

function toSmtp(row: Row): Converted {
  const notes: string[] = [];
  return { type: 'smtp', config: { ...atPort(row, 25), timeoutMs: timeoutOf(row, notes) }, notes };
}

function toPing(row: Row): Converted {
  const notes: string[] = [];
  return { type: 'ping', config: { host: hostOf(row), timeoutMs: timeoutOf(row, notes) }, notes };
}

function toDns(row: Row): Converted {
  if (!hasSettings(row)) throw new NotCarriedOver(NO_SETTINGS);
  const notes: string[] = [];
  const values = textsOf(row.dns_ips);
  const resolver = textOf(row, 'dns_server');
  const config = {
    host: hostOf(row),
    recordType: values.some((each) => each.includes(':')) ? 'AAAA' : 'A',
    ...(resolver && { resolver }),
    ...(values.length > 0 && { expect: { match: 'any', values } }),
    timeoutMs: timeoutOf(row, notes),
  };
  return { type: 'dns', config, notes };
}

const types: Record<string, (row: Row) => Converted> = {
  HTTP: toHttp,
  HEAD: toHttp,
  TCP: toTcp,
  SSH: toSsh,
  SMTP: toSmtp,
  PING: toPing,
  DNS: toDns,
};

/** Reads uptime tests of StatusCake, as version 1 of its API returns them: each with its settings, or a list. */
export function readStatuscake(file: Buffer, builder: DraftBuilder): void {
  // An account has one sequence of IDs with all others.
  builder.draft.instance = 'account';
  for (const row of allIn(file, ['data'], OTHER)) {
    const type = textOf(row, 'test_type').toUpperCase();
    const name = cut(textOf(row, 'name') || textOf(row, 'website_url'), 120) || 'Test';
    builder.addMonitor({ key: cut(textOf(row, 'id'), 40), name, from: cut(type, 40) || 'unknown' }, () => {
      const convert = Object.hasOwn(types, type) ? types[type] : undefined;
      if (!convert) throw new NotCarriedOver('There is no such monitor type.');
      const { notes, ...typed } = convert(row);
      const input = {
        ...typed,
        name,
        intervalSeconds: toInterval(numberOf(row, 'check_rate') || DEFAULT_SECONDS, notes),
        tags: toTags(textsOf(row.tags)),
        isActive: row.paused !== true,
      };
      return { input, channelKeys: null, pingToken: null, days: [], notes };
    });
  }
  builder.draft.notes.push(
    'Contact groups, usernames and passwords are not in the file: each monitor alerts all channels of the team.',
    'Page speed, SSL, domain and heartbeat tests, maintenance and history are not carried over.',
  );
}
