import { completeAddress, type MonitorType } from '@/server/monitor-types/schema';
import { cut, NotCarriedOver } from '../draft';
import { type Converted, toMailbox, toSmtpServer } from './conversion';
import { hostAndPortOf, portOfUrl, splitUrl } from './http';

/** A check in the terms that most tools share. */
export interface Plain {
  /** A URL, a host with a port, or a host. */
  address: string;
  port?: number | null;
  timeoutMs?: number;
  method?: string;
  expectedStatus?: string[];
  /** A text that the response must contain, or must not if `isKeywordAbsent`. */
  keyword?: string;
  isKeywordAbsent?: boolean;
}

const timeoutOf = ({ timeoutMs }: Plain) => (timeoutMs === undefined ? {} : { timeoutMs });

/** @throws NotCarriedOver for the first of these settings that is set, because the type does not support it */
function assertNone(plain: Plain, ...names: ('method' | 'expectedStatus' | 'keyword')[]): void {
  const words = { method: 'A method', expectedStatus: 'An expected status code', keyword: 'A keyword' };
  const first = names.find((name) => plain[name] !== undefined);
  if (first) throw new NotCarriedOver(`${words[first]} is not supported for this type.`);
}

/**
 * Returns the address as a complete URL.
 * @throws NotCarriedOver if the separate port differs from that of the URL
 */
function urlOf({ address, port }: Plain, scheme?: string): string {
  const url = completeAddress(address, scheme);
  if (port && portOfUrl(url) !== port) {
    throw new NotCarriedOver('Its port is not that of its URL. Write it into the URL.');
  }
  return url;
}

/** Returns the text that a response must contain, for types that cannot require its absence. */
function expectOf({ keyword, isKeywordAbsent }: Plain): { expect?: string } {
  if (!keyword) return {};
  if (isKeywordAbsent) throw new NotCarriedOver('A keyword that must be absent is not supported for this type.');
  return { expect: keyword };
}

const toHttp =
  (scheme?: string, defaults: { method?: string } = {}) =>
  (plain: Plain): Converted => {
    const { url, auth } = splitUrl(urlOf(plain, scheme));
    const { method, expectedStatus, keyword, isKeywordAbsent } = { ...defaults, ...plain };
    const config = {
      url,
      ...(auth && { auth }),
      ...(method && { method: method.toUpperCase() }),
      ...(expectedStatus && { expectedStatus }),
      ...timeoutOf(plain),
      assertions: keyword
        ? [{ source: 'body', operator: isKeywordAbsent ? 'notContains' : 'contains', value: keyword }]
        : [],
    };
    return { type: 'http', config, notes: [] };
  };

function toKeyword(plain: Plain): Converted {
  if (!plain.keyword) throw new NotCarriedOver('It has no keyword.');
  return toHttp()(plain);
}

const hostOf = ({ address }: Plain) => hostAndPortOf(address).host;

function portOf({ address, port }: Plain): number {
  const found = port ?? hostAndPortOf(address).port;
  if (found === null) throw new NotCarriedOver('It has no port.');
  return found;
}

const withPort = (type: MonitorType, fallback?: number) => (plain: Plain) => {
  assertNone(plain, 'method', 'expectedStatus', 'keyword');
  const port = fallback === undefined ? portOf(plain) : (plain.port ?? hostAndPortOf(plain.address).port ?? fallback);
  return { type, config: { host: hostOf(plain), port, ...timeoutOf(plain) }, notes: [] };
};

function toSmtp(plain: Plain): Converted {
  const { type, config, notes } = withPort('smtp', 25)(plain);
  return { type, config: { ...config, ...toSmtpServer(config.port, false) }, notes };
}

const toMailboxes =
  (protocol: 'imap' | 'pop3', preset: boolean | null) =>
  (plain: Plain): Converted => {
    assertNone(plain, 'method', 'expectedStatus', 'keyword');
    const port = plain.port ?? hostAndPortOf(plain.address).port;
    const [, scheme, s] = /^(imap|pop3?)(s?):\/\//i.exec(plain.address) ?? [];
    const isEncrypted = scheme === undefined ? preset : s !== '';
    return toMailbox({ protocol, port, isEncrypted }, { host: hostOf(plain), ...timeoutOf(plain) });
  };

function toTcp(plain: Plain): Converted {
  assertNone(plain, 'method', 'expectedStatus');
  return {
    type: 'tcp',
    config: { host: hostOf(plain), port: portOf(plain), ...expectOf(plain), ...timeoutOf(plain) },
    notes: [],
  };
}

function toPing(plain: Plain): Converted {
  assertNone(plain, 'method', 'expectedStatus', 'keyword');
  return { type: 'ping', config: { host: hostOf(plain), ...timeoutOf(plain) }, notes: [] };
}

function toDns(plain: Plain): Converted {
  assertNone(plain, 'method', 'expectedStatus', 'keyword');
  const config = { host: hostOf(plain), recordType: 'A', ...timeoutOf(plain) };
  return { type: 'dns', config, notes: ['It checks that the name has an A record.'] };
}

const toWebSocket =
  (scheme: string) =>
  (plain: Plain): Converted => {
    assertNone(plain, 'method', 'expectedStatus');
    const config = { url: urlOf(plain, scheme), ...expectOf(plain), ...timeoutOf(plain) };
    return { type: 'websocket', config, notes: [] };
  };

const toGrpc =
  (isSecure: boolean) =>
  (plain: Plain): Converted => {
    const converted = withPort('grpc')(plain);
    return { ...converted, config: { ...converted.config, tls: isSecure || /^grpcs:/i.test(plain.address) } };
  };

/** The function that converts each type, by its names in other tools and by URL schemes, in lowercase letters only. */
const types = new Map<string, (plain: Plain) => Converted>([
  ...['https', 'httphttps', 'website', 'web', 'url', 'api'].map((name) => [name, toHttp()] as const),
  ['http', toHttp('http')],
  ['head', toHttp(undefined, { method: 'HEAD' })],
  ['keyword', toKeyword],
  ...['ping', 'icmp'].map((name) => [name, toPing] as const),
  ...['tcp', 'port', 'tcpport'].map((name) => [name, toTcp] as const),
  ...['tls', 'ssl', 'certificate', 'sslcertificate'].map((name) => [name, withPort('tls', 443)] as const),
  ...['smtp', 'mail'].map((name) => [name, toSmtp] as const),
  ['imap', toMailboxes('imap', null)],
  ['imaps', toMailboxes('imap', true)],
  ...['pop', 'pop3'].map((name) => [name, toMailboxes('pop3', null)] as const),
  ...['pops', 'pop3s'].map((name) => [name, toMailboxes('pop3', true)] as const),
  ['ssh', withPort('ssh', 22)],
  ...['wss', 'websocket'].map((name) => [name, toWebSocket('wss')] as const),
  ['ws', toWebSocket('ws')],
  ['grpc', toGrpc(false)],
  ['grpcs', toGrpc(true)],
  ['dns', toDns],
]);

/** Guesses the type of a check from its address: by the scheme; a host with a port is TCP, anything else a website. */
function typeOf(address: string): { name: string; notes: string[] } {
  const [, scheme] = /^([a-z][a-z0-9+.-]{0,20}):\/\//i.exec(address) ?? [];
  if (scheme !== undefined) return { name: scheme.toLowerCase(), notes: [] };
  if (/^[^\s/]+:\d{1,5}$/.test(address)) return { name: 'tcp', notes: ['It has no type: its port is checked.'] };
  return { name: 'website', notes: [] };
}

/**
 * Converts a check.
 * @param type the type under any usual name; if empty, it is guessed from the address
 * @throws NotCarriedOver
 */
export function toPlain(type: string, plain: Plain): Converted {
  if (plain.address === '') throw new NotCarriedOver('It has no address.');
  const guessed =
    type === '' ? typeOf(plain.address) : { name: type.toLowerCase().replaceAll(/[^a-z]/g, ''), notes: [] };
  const convert = types.get(guessed.name);
  if (!convert) throw new NotCarriedOver(`The type ${cut(type || guessed.name, 40)} is not supported.`);
  const converted = convert(plain);
  const isDropped = 'host' in converted.config && /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(plain.address);
  const notes = isDropped ? ['The username and password in its address are not carried over.'] : [];
  return { ...converted, notes: [...guessed.notes, ...converted.notes, ...notes] };
}
