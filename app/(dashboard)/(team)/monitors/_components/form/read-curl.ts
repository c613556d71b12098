import { canParseUrl, percentDecoded } from '@/server/platform/schema';
import { shellWords } from './shell-words';

/** The longest command that is read. */
export const LONGEST_COMMAND = 200_000;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The short forms of options. */
const shortNames: Record<string, string> = {
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  I: 'head',
  G: 'get',
  L: 'location',
  k: 'insecure',
  m: 'max-time',
  4: 'ipv4',
  6: 'ipv6',
  F: 'form',
  T: 'upload-file',
  x: 'proxy',
  E: 'cert',
  c: 'cookie-jar',
  D: 'dump-header',
  o: 'output',
  w: 'write-out',
  K: 'config',
  r: 'range',
  C: 'continue-at',
  P: 'ftp-port',
  Q: 'quote',
  Y: 'speed-limit',
  t: 'telnet-option',
  y: 'speed-time',
  z: 'time-cond',
  U: 'proxy-user',
  i: 'include',
  s: 'silent',
  S: 'show-error',
  v: 'verbose',
  f: 'fail',
  N: 'no-buffer',
  O: 'remote-name',
  '#': 'progress-bar',
};

/** Options that change only what curl shows or saves. */
const silent = new Set(
  'include silent show-error verbose fail fail-with-body no-buffer progress-bar compressed remote-name no-progress-meter'.split(
    ' ',
  ),
);
const silentWithValue = new Set('output write-out cookie-jar dump-header stderr trace trace-ascii'.split(' '));

/** Options with a value that a monitor has no setting for. */
const unreadWithValue = new Set(
  'form form-string upload-file proxy proxy-user cert cert-type key key-type cacert capath resolve connect-to retry retry-delay retry-max-time connect-timeout config range interface limit-rate ciphers tls-max unix-socket dns-servers noproxy aws-sigv4 speed-limit speed-time keepalive-time abstract-unix-socket alt-svc continue-at create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr dns-ipv6-addr doh-url egd-file engine etag-compare etag-save expect100-timeout ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip hostpubmd5 hostpubsha256 hsts ip-tos ipfs-gateway keepalive-cnt krb libcurl local-port login-options mail-auth mail-from mail-rcpt max-filesize netrc-file output-dir parallel-max pass pinnedpubkey postquote preproxy prequote proto proto-default proto-redir proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy1.0 pubkey quote random-file rate request-target sasl-authzid service-name sigalgs socks4 socks4a socks5 socks5-gssapi-service socks5-hostname telnet-option tftp-blksize time-cond tls13-ciphers tlsauthtype tlspassword tlsuser trace-config url-query variable vlan-priority'.split(
    ' ',
  ),
);
const readWithValue = new Set(
  'request header data data-raw data-ascii data-binary data-urlencode json user oauth2-bearer user-agent referer cookie max-time max-redirs url'.split(
    ' ',
  ),
);

/** What a cURL command says about an http monitor: its config, and in words what was and was not understood. */
export interface CurlRequest {
  config: Record<string, unknown> & { url: string; method: string };
  /** What was read besides the URL: "method", "3 headers". */
  read: string[];
  /** What was not carried over, each with the reason. */
  notes: string[];
}

interface Parts {
  urls: string[];
  method: string | null;
  isHead: boolean;
  isGet: boolean;
  headers: Map<string, [name: string, value: string]>;
  data: string[];
  auth: Record<string, string> | null;
  settings: Record<string, unknown>;
  notes: string[];
}

function decodeBasic(encoded: string): { username: string; password: string } | null {
  try {
    const bytes = Uint8Array.from(atob(encoded.trim()), (character) => character.charCodeAt(0));
    const [, username, password] =
      /^([^:]*):(.*)$/s.exec(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) ?? [];
    return username === undefined || password === undefined ? null : { username, password };
  } catch {
    return null;
  }
}

function readUser(text: string): Record<string, string> {
  const colon = text.indexOf(':');
  const [username, password] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  return { kind: 'basic', username, password };
}

/** A header goes to the field for its meaning, so that credentials are stored as such. */
function readHeader(parts: Parts, line: string): void {
  const [, name = '', value = ''] = /^([^:;]*)[:;]\s*(.*)$/s.exec(line) ?? [];
  if (line.startsWith('@')) parts.notes.push('headers of a file');
  else if (name.trim() === '' || (value === '' && !line.trimEnd().endsWith(';')))
    parts.notes.push(`the header “${line}”`);
  else if (/^authorization$/i.test(name.trim())) {
    const [, scheme = '', credential = ''] = /^(\S+)\s+(.*)$/s.exec(value) ?? [];
    const basic = /^basic$/i.test(scheme) ? decodeBasic(credential) : null;
    if (basic) parts.auth = { kind: 'basic', ...basic };
    else if (/^bearer$/i.test(scheme) && credential) parts.auth = { kind: 'bearer', token: credential.trim() };
    else parts.headers.set('authorization', [name.trim(), value]);
  } else parts.headers.set(name.trim().toLowerCase(), [name.trim(), value]);
}

const setHeader = ({ headers }: Parts, name: string, value: string) => headers.set(name.toLowerCase(), [name, value]);

/** `--data-urlencode`: "text", "=text" and "name=text"; "@file" and "name@file" are files. */
function encodeData(value: string): string | null {
  const [, name = '', sign, text = ''] = /^([^=@]*)([=@])?(.*)$/s.exec(value) ?? [];
  if (sign === '@') return null;
  if (sign === undefined) return encodeURIComponent(name);
  return `${name ? `${name}=` : ''}${encodeURIComponent(text)}`;
}

function readData(parts: Parts, option: string, value: string): void {
  const isFile = option !== 'data-raw' && option !== 'data-urlencode' && value.startsWith('@');
  const text = isFile ? null : option === 'data-urlencode' ? encodeData(value) : value;
  if (text === null) parts.notes.push('data of a file');
  else parts.data.push(text);
}

function readOption(parts: Parts, name: string, value: string): void {
  switch (name) {
    case 'request':
      parts.method = value.toUpperCase();
      return;
    case 'header':
      readHeader(parts, value);
      return;
    case 'data':
    case 'data-raw':
    case 'data-ascii':
    case 'data-binary':
    case 'data-urlencode':
      readData(parts, name, value);
      return;
    case 'json':
      for (const header of ['Content-Type', 'Accept']) {
        if (!parts.headers.has(header.toLowerCase())) setHeader(parts, header, 'application/json');
      }
      readData(parts, name, value);
      return;
    case 'user':
      parts.auth = readUser(value);
      return;
    case 'oauth2-bearer':
      parts.auth = { kind: 'bearer', token: value };
      return;
    case 'user-agent':
      setHeader(parts, 'User-Agent', value);
      return;
    case 'referer':
      setHeader(parts, 'Referer', value);
      return;
    case 'cookie':
      if (value.includes('=')) setHeader(parts, 'Cookie', value);
      else parts.notes.push('cookies of a file');
      return;
    case 'max-time': {
      const ms = Math.round(Number(value) * 1000);
      if (ms >= 1 && ms <= 60_000) parts.settings.timeoutMs = ms;
      else parts.notes.push(`--max-time ${value} (at most 60 s)`);
      return;
    }
    case 'max-redirs':
      if (/^\d{1,2}$/.test(value) && Number(value) <= 20) parts.settings.maxRedirects = Number(value);
      else parts.notes.push(`--max-redirs ${value} (at most 20)`);
      return;
    default:
      parts.urls.push(value);
  }
}

function readFlag(parts: Parts, name: string): void {
  if (name === 'head') parts.isHead = true;
  else if (name === 'get') parts.isGet = true;
  else if (name === 'location' || name === 'location-trusted') parts.settings.followRedirects = true;
  else if (name === 'insecure') parts.settings.verifyTls = false;
  else if (name === 'ipv4' || name === 'ipv6') parts.settings.ipFamily = name.slice(3);
  // HTTP Basic is what --user sends anyway.
  else if (!silent.has(name) && name !== 'basic') parts.notes.push(`--${name}`);
}

/** Reads the words after "curl". */
function readWords(words: string[]): Parts {
  const parts: Parts = {
    urls: [],
    method: null,
    isHead: false,
    isGet: false,
    headers: new Map(),
    data: [],
    auth: null,
    settings: {},
    notes: [],
  };
  let at = 0;
  const take = (name: string, value: string | undefined) => {
    if (value === undefined) parts.notes.push(`--${name} without a value`);
    else if (readWithValue.has(name)) readOption(parts, name, value);
    else if (unreadWithValue.has(name)) parts.notes.push(`--${name}`);
  };
  const hasValue = (name: string) => readWithValue.has(name) || unreadWithValue.has(name) || silentWithValue.has(name);
  while (at < words.length) {
    const word = words[at] ?? '';
    at += 1;
    if (word.startsWith('--')) {
      const name = word.slice(2);
      if (hasValue(name)) {
        take(name, words[at]);
        at += 1;
      } else if (name !== '') readFlag(parts, name);
    } else if (word.startsWith('-') && word.length > 1) {
      // Several flags in one word, the last of which may have its value in the same word or the next.
      for (let index = 1; index < word.length; index += 1) {
        const name = shortNames[word[index] ?? ''];
        if (name === undefined) {
          parts.notes.push(`-${word[index]}`);
        } else if (hasValue(name)) {
          const rest = word.slice(index + 1);
          take(name, rest || words[at]);
          if (!rest) at += 1;
          break;
        } else readFlag(parts, name);
      }
    } else parts.urls.push(word);
  }
  return parts;
}

/** The URL without its credentials, which belong to the authentication. Without a scheme, curl takes http. */
function readUrl(parts: Parts): string | null {
  // A word that is no address may be the value of an option that is not known.
  const first = parts.urls.find((word) => /^https?:\/\/|^[\w-]+\.[\w-]|^localhost\b|:\d/i.test(word)) ?? parts.urls[0];
  if (first === undefined) return null;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(first) ? first : `http://${first}`;
  if (!canParseUrl(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (parts.urls.length > 1) parts.notes.push(`${parts.urls.length - 1} more URL${parts.urls.length > 2 ? 's' : ''}`);
  if (url.username !== '' || url.password !== '') {
    parts.auth ??= { kind: 'basic', username: percentDecoded(url.username), password: percentDecoded(url.password) };
    url.username = '';
    url.password = '';
  }
  return url.href;
}

/** The method, and the body unless the data belong to the query. */
function placeData(parts: Parts, url: string): { url: string; method: string; body?: string } {
  const data = parts.data.join('&');
  if (parts.isGet && data !== '') {
    const joined = new URL(url);
    joined.search = joined.search ? `${joined.search}&${data}` : data;
    return { url: joined.href, method: parts.method ?? (parts.isHead ? 'HEAD' : 'GET') };
  }
  const hasBody = parts.data.length > 0;
  const method = parts.method ?? (parts.isHead ? 'HEAD' : hasBody ? 'POST' : 'GET');
  if (!hasBody) return { url, method };
  if (!parts.headers.has('content-type')) setHeader(parts, 'Content-Type', 'application/x-www-form-urlencoded');
  return { url, method, body: data };
}

const count = (number: number, one: string) => `${number} ${one}${number === 1 ? '' : 's'}`;

/** Whether a pasted text is meant to be a cURL command. */
export const isCurl = (text: string): boolean => /^\s*(\$\s+)?curl(\.exe)?\s/.test(text);

/**
 * Reads a cURL command for the form of an http monitor. Credentials go into the fields that are stored encrypted.
 * @returns the request, or what is wrong with the command
 */
export function readCurl(text: string): CurlRequest | { fault: string } {
  if (text.length > LONGEST_COMMAND) return { fault: 'The command is longer than 200,000 characters.' };
  if (!isCurl(text)) return { fault: 'Enter a command that starts with curl.' };
  if (/\^\s*\r?\n/.test(text)) {
    return { fault: 'This command is for the command prompt of Windows. Copy it as cURL for bash.' };
  }
  const { words, isCut, isOpen, hasVariables } = shellWords(text.trim().replace(/^\$\s+/, ''));
  if (isOpen) return { fault: 'A quote of the command is not closed.' };
  const parts = readWords(words.slice(1));
  const base = readUrl(parts);
  if (base === null) return { fault: 'The command has no URL that starts with http:// or https://.' };
  const { url, method: wanted, body } = placeData(parts, base);
  const isKnown = methods.includes(wanted);
  if (!isKnown) parts.notes.push(`the method ${wanted}`);
  if (isCut) parts.notes.push('what follows the first command');
  if (hasVariables) parts.notes.push('the values of variables, which you can enter in their place');
  const method = isKnown ? wanted : 'GET';
  const headers = [...parts.headers.values()];
  const config = {
    ...parts.settings,
    url,
    method,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(body !== undefined && { body }),
    ...(parts.auth && { auth: parts.auth }),
  };
  const read = [
    `method ${method}`,
    ...(headers.length > 0 ? [count(headers.length, 'header')] : []),
    ...(body === undefined ? [] : ['body']),
    ...(parts.auth ? ['authentication'] : []),
    ...(Object.keys(parts.settings).length > 0 ? ['settings'] : []),
  ];
  return { config, read, notes: [...new Set(parts.notes)] };
}
