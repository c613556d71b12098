import { isIP } from 'node:net';
import { allIn } from '../../convert/all-in';
import { type Converted, conversionOf, toInterval, toMailbox, toSmtpServer } from '../../convert/conversion';
import { toHeaders } from '../../convert/http';
import { nameOfAddress } from '../../convert/name';
import { numberOf, type Row, textOf, toRow, toRows, verbatimOf } from '../../convert/rows';
import { cut, type DraftBuilder, NotCarriedOver, toTags } from '../../draft';

const OTHER = 'This file is not a list of checks of Pingdom: it has no checks.';
const NO_SETTINGS = 'A list of checks lacks its settings. Save each check, as described.';
const DEFAULT_MINUTES = 5;
/** The timeout of Pingdom. */
const timeoutMs = 30_000;
const DEFAULT_FAILURES = 2;

const isIpv6 = (row: Row) => row.ipv6 === true;

type Convert = (row: Row, settings: Row) => Converted;

function rulesOf(settings: Row): object[] {
  const rules = [
    { source: 'body', operator: 'contains', value: verbatimOf(settings, 'shouldcontain') },
    { source: 'body', operator: 'notContains', value: verbatimOf(settings, 'shouldnotcontain') },
  ];
  return rules.filter(({ value }) => value !== '');
}

function urlOf(row: Row, settings: Row): string {
  const isTls = settings.encryption === true;
  const port = numberOf(settings, 'port');
  const path = textOf(settings, 'url');
  const host = textOf(row, 'hostname');
  const shown = port === null || port === (isTls ? 443 : 80) ? '' : `:${port}`;
  return `${isTls ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}${shown}${path.startsWith('/') ? '' : '/'}${path}`;
}

/** Returns the request headers without the user agent of Pingdom itself. */
function headersOf(settings: Row): Row {
  const isOwn = ([name, value]: [string, unknown]) =>
    name.toLowerCase() === 'user-agent' && String(value).startsWith('Pingdom.com_bot');
  return Object.fromEntries(Object.entries(toRow(settings.requestheaders)).filter((header) => !isOwn(header)));
}

const toHttp: Convert = (row, settings) => {
  const username = textOf(settings, 'username');
  const body = verbatimOf(settings, 'postdata');
  const days = numberOf(settings, 'ssl_down_days_before') ?? numberOf(row, 'ssl_down_days_before') ?? 0;
  const config = {
    url: urlOf(row, settings),
    method: body === '' ? 'GET' : 'POST',
    headers: toHeaders(headersOf(settings), body === '' ? null : 'application/x-www-form-urlencoded'),
    ...(body && { body }),
    ...(username && { auth: { kind: 'basic', username, password: verbatimOf(settings, 'password') } }),
    verifyTls: (settings.verify_certificate ?? row.verify_certificate) !== false,
    certificateWarnDays: days,
    // An IP address as the host decides its version.
    ...(isIpv6(row) && isIP(textOf(row, 'hostname')) === 0 && { ipFamily: '6' }),
    timeoutMs,
    assertions: rulesOf(settings),
  };
  const notes = days > 0 ? ['A certificate that expires soon is a warning here, not a downtime.'] : [];
  return { type: 'http', config, notes };
};

const toTcp: Convert = (row, settings) => {
  const port = numberOf(settings, 'port');
  const send = verbatimOf(settings, 'stringtosend');
  const expect = verbatimOf(settings, 'stringtoexpect');
  if (send !== '' && expect === '') throw new NotCarriedOver('A message without an expected answer is not supported.');
  const config = { host: textOf(row, 'hostname'), port, ...(send && { send }), ...(expect && { expect }), timeoutMs };
  return { type: 'tcp', config, notes: [] };
};

const toSmtp: Convert = (row, settings) => {
  if (textOf(settings, 'username') !== '') throw new NotCarriedOver('Authentication of SMTP is not supported.');
  if (verbatimOf(settings, 'stringtoexpect') !== '')
    throw new NotCarriedOver('An expected text of SMTP is not supported.');
  const server = toSmtpServer(numberOf(settings, 'port') ?? 25, settings.encryption === true);
  return { type: 'smtp', config: { host: textOf(row, 'hostname'), ...server, timeoutMs }, notes: [] };
};

const toMailboxes =
  (protocol: 'imap' | 'pop3'): Convert =>
  (row, settings) => {
    if (verbatimOf(settings, 'stringtoexpect') !== '')
      throw new NotCarriedOver('An expected text of IMAP and POP3 is not supported.');
    const { encryption } = settings;
    const isEncrypted = typeof encryption === 'boolean' ? encryption : null;
    const port = numberOf(settings, 'port');
    return toMailbox({ protocol, port, isEncrypted }, { host: textOf(row, 'hostname'), timeoutMs });
  };

const toDns: Convert = (row, settings) => {
  const wanted = textOf(settings, 'expectedip');
  const resolver = textOf(settings, 'nameserver');
  const config = {
    host: textOf(row, 'hostname'),
    recordType: wanted.includes(':') ? 'AAAA' : 'A',
    ...(resolver && { resolver }),
    ...(wanted && { expect: { match: 'any', values: [wanted] } }),
    timeoutMs,
  };
  return { type: 'dns', config, notes: [] };
};

const toPing: Convert = (row) => ({ type: 'ping', config: { host: textOf(row, 'hostname'), timeoutMs }, notes: [] });

const types: Record<string, Convert> = {
  http: toHttp,
  tcp: toTcp,
  smtp: toSmtp,
  imap: toMailboxes('imap'),
  pop3: toMailboxes('pop3'),
  dns: toDns,
  ping: toPing,
};

/** What to use instead of types that Upwatch lacks. */
const instead: Record<string, string> = {
  httpcustom: 'Custom checks are not supported. Use an HTTP monitor with rules.',
  udp: 'UDP is not supported.',
};

/** Returns the type of a check, and its settings. A list has only the name of the type, so the settings are null. */
function typeOf(row: Row): { name: string; settings: Row | null } {
  const [entry] = Object.entries(toRow(row.type));
  return entry ? { name: entry[0], settings: toRow(entry[1]) } : { name: textOf(row, 'type'), settings: null };
}

function toMonitor(row: Row): Converted {
  const { name, settings } = typeOf(row);
  const convert = conversionOf(types, name, instead);
  // A ping has no settings but its host.
  if (settings === null && name !== 'ping') throw new NotCarriedOver(NO_SETTINGS);
  return convert(row, settings ?? {});
}

/** Returns notes on settings of all types that are not carried over. */
function notesOf(row: Row, type: string): string[] {
  const notes: string[] = [];
  if (isIpv6(row) && type !== 'http') notes.push('Its IP version is not chosen: IPv4 and IPv6 are used.');
  const failures = numberOf(row, 'sendnotificationwhendown') ?? DEFAULT_FAILURES;
  if (failures !== DEFAULT_FAILURES)
    notes.push(`It alerts after ${failures} failed checks there. Here, the usual confirmation applies.`);
  const thresholdMs = numberOf(row, 'responsetime_threshold') ?? timeoutMs;
  if (thresholdMs !== timeoutMs)
    notes.push(`Its response time threshold of ${thresholdMs} ms is not carried over. Add a rule for the latency.`);
  const probes = row.probe_filters;
  if (Array.isArray(probes) ? probes.length > 0 : textOf(row, 'probe_filters') !== '')
    notes.push('Its regions are not carried over.');
  return notes;
}

/** Reads checks of Pingdom, as version 3.1 of its API returns them: each with its settings, or a list. */
export function readPingdom(file: Buffer, builder: DraftBuilder): void {
  // All accounts share one sequence of IDs, so that IDs are unique without the account.
  builder.draft.instance = 'account';
  for (const row of allIn(file, builder, ['check', 'checks'], OTHER)) {
    const name = cut(textOf(row, 'name'), 120) || nameOfAddress(textOf(row, 'hostname')) || 'Check';
    const from = cut(typeOf(row).name, 40) || 'unknown';
    builder.addMonitor({ key: cut(textOf(row, 'id'), 40), name, from }, () => {
      const { notes, ...typed } = toMonitor(row);
      notes.push(...notesOf(row, typed.type));
      const input = {
        ...typed,
        name,
        intervalSeconds: toInterval(60 * (numberOf(row, 'resolution') ?? DEFAULT_MINUTES), notes),
        tags: toTags(toRows(row.tags).map((tag) => textOf(tag, 'name'))),
        isActive: textOf(row, 'status') !== 'paused' && row.paused !== true,
      };
      return { input, notes };
    });
  }
  builder.draft.notes.push(
    'Integrations, users and the notification settings of checks are not carried over: each monitor alerts all channels of the team.',
    'Transaction checks, page speed, maintenance and history are not in the file.',
  );
}
