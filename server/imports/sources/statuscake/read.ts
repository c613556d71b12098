import { completeAddress } from '@/server/monitor-types/schema';
import { allIn } from '../../convert/all-in';
import { type Converted, conversionOf, toInterval, toRanges, toSmtpServer, toTimeout } from '../../convert/conversion';
import { hostAndPortOf, splitUrl, toHeaders } from '../../convert/http';
import { nameOfAddress } from '../../convert/name';
import { numberOf, type Row, textOf, toRow, verbatimOf } from '../../convert/rows';
import { cut, type DraftBuilder, NotCarriedOver, toTags } from '../../draft';

const OTHER = 'This file is not a list of uptime tests of StatusCake: it has no data.';
const NO_SETTINGS = 'A list of tests lacks its settings. Save each test, as described.';
const DEFAULT_SECONDS = 300;
const CONSTANT_SECONDS = 30;
const DEFAULT_TIMEOUT_SECONDS = 15;
const DEFAULT_CONFIRMATION = 2;
const WARN_DAYS = 14;

const timeoutOf = (row: Row, notes: string[]) =>
  toTimeout(1_000 * (numberOf(row, 'timeout') || DEFAULT_TIMEOUT_SECONDS), notes);

/** Returns whether a test has its settings; a list lacks them. */
const hasSettings = (row: Row) => Object.hasOwn(row, 'timeout');

const textsOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

/**
 * Parses the custom headers, which are JSON in a text.
 * @throws NotCarriedOver
 */
function headersOf(row: Row): Row {
  const text = textOf(row, 'custom_header');
  if (text === '') return {};
  try {
    return toRow(JSON.parse(text));
  } catch {
    throw new NotCarriedOver('Its custom header is not valid JSON.');
  }
}

/** Returns the accepted status codes. StatusCake lists the codes that count as a downtime instead. */
function statusesOf(row: Row): string[] {
  const down = new Set(textsOf(row.status_codes));
  return down.size === 0 ? ['200-399'] : toRanges((code) => !down.has(String(code)));
}

function rulesOf(row: Row): object[] {
  const value = verbatimOf(row, 'find_string');
  if (value === '') return [];
  if (row.include_header === true) throw new NotCarriedOver('A text in the body or the headers is not supported.');
  return [{ source: 'body', operator: row.do_not_find === true ? 'notContains' : 'contains', value }];
}

function toHttp(row: Row): Converted {
  const notes: string[] = [];
  if (textOf(row, 'final_endpoint') !== '')
    throw new NotCarriedOver('A rule for the end of redirects is not supported.');
  if (textOf(row, 'post_body') !== '' || Object.keys(toRow(row.post_body)).length > 0) {
    throw new NotCarriedOver('A body of fields is not supported. Use a raw body.');
  }
  if (row.use_jar === true) notes.push('Cookies are not kept across redirects.');
  const { url, auth } = splitUrl(completeAddress(textOf(row, 'website_url')));
  const body = verbatimOf(row, 'post_raw');
  const agent = textOf(row, 'user_agent');
  const isHead = textOf(row, 'test_type').toUpperCase() === 'HEAD';
  const config = {
    url,
    method: isHead ? 'HEAD' : body === '' ? 'GET' : 'POST',
    headers: toHeaders({ ...headersOf(row), ...(agent && { 'user-agent': agent }) }),
    ...(body && { body }),
    ...(auth && { auth }),
    expectedStatus: statusesOf(row),
    followRedirects: row.follow_redirects !== false,
    certificateWarnDays: row.enable_ssl_alert === true ? WARN_DAYS : 0,
    timeoutMs: timeoutOf(row, notes),
    assertions: rulesOf(row),
  };
  return { type: 'http', config, notes };
}

const hostOf = (row: Row) => hostAndPortOf(textOf(row, 'website_url')).host;

/**
 * Returns the host and the port of a test, or the usual port of its type.
 * @throws NotCarriedOver if there is no port
 */
function atPort(row: Row, usual?: number) {
  const port = numberOf(row, 'port') || hostAndPortOf(textOf(row, 'website_url')).port || usual;
  if (!port) throw new NotCarriedOver('It has no port.');
  return { host: hostOf(row), port };
}

function toTcp(row: Row): Converted {
  const notes: string[] = [];
  return { type: 'tcp', config: { ...atPort(row), timeoutMs: timeoutOf(row, notes) }, notes };
}

function toSsh(row: Row): Converted {
  const notes: string[] = [];
  return { type: 'ssh', config: { ...atPort(row, 22), timeoutMs: timeoutOf(row, notes) }, notes };
}

function toSmtp(row: Row): Converted {
  const notes: string[] = [];
  const { host, port } = atPort(row, 25);
  return { type: 'smtp', config: { host, ...toSmtpServer(port, false), timeoutMs: timeoutOf(row, notes) }, notes };
}

function toPing(row: Row): Converted {
  const notes: string[] = [];
  return { type: 'ping', config: { host: hostOf(row), timeoutMs: timeoutOf(row, notes) }, notes };
}

function toDns(row: Row): Converted {
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

/** Returns the interval in seconds. A rate of 0 (constant checks) becomes 30 s with a note. */
function intervalOf(row: Row, notes: string[]): number {
  const seconds = numberOf(row, 'check_rate') ?? DEFAULT_SECONDS;
  if (seconds > 0) return toInterval(seconds, notes);
  notes.push('It is checked all the time there, and every 30 s here.');
  return CONSTANT_SECONDS;
}

/** Returns notes on settings of all types that are not carried over. */
function notesOf(row: Row): string[] {
  const [confirmation, delay] = [numberOf(row, 'confirmation'), numberOf(row, 'trigger_rate')];
  const notes: string[] = [];
  if (confirmation !== null && confirmation !== DEFAULT_CONFIRMATION)
    notes.push(`Its confirmation by ${confirmation} servers is not carried over: the usual confirmation applies.`);
  if (delay) notes.push(`Its alerts are not delayed by ${delay} min: the usual confirmation applies.`);
  if (textsOf(row.regions).length > 0) notes.push('Its regions are not carried over.');
  return notes;
}

/** Reads uptime tests of StatusCake, as version 1 of its API returns them: each with its settings, or a list. */
export function readStatuscake(file: Buffer, builder: DraftBuilder): void {
  // All accounts share one sequence of IDs, so that IDs are unique without the account.
  builder.draft.instance = 'account';
  for (const row of allIn(file, builder, ['data'], OTHER)) {
    const type = textOf(row, 'test_type').toUpperCase();
    const name = cut(textOf(row, 'name'), 120) || nameOfAddress(textOf(row, 'website_url')) || 'Test';
    builder.addMonitor({ key: cut(textOf(row, 'id'), 40), name, from: cut(type, 40) || 'unknown' }, () => {
      const convert = conversionOf(types, type);
      // A ping has no settings but its host.
      if (!hasSettings(row) && type !== 'PING') throw new NotCarriedOver(NO_SETTINGS);
      const { notes, ...typed } = convert(row);
      notes.push(...notesOf(row));
      const input = {
        ...typed,
        name,
        intervalSeconds: intervalOf(row, notes),
        tags: toTags(textsOf(row.tags)),
        isActive: row.paused !== true,
      };
      return { input, notes };
    });
  }
  builder.draft.notes.push(
    'Contact groups, usernames and passwords are not in the file: each monitor alerts all channels of the team.',
    'Page speed, SSL, domain and heartbeat tests, maintenance and history are not carried over.',
  );
}
