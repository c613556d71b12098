import http, { type ClientRequest, type IncomingMessage, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { Budget } from './budget';
import { Collected } from './collected';
import type { DialTarget } from './dial';
import { connectionClosed } from './errors';
import type { TlsTrust } from './secure-context';

const MOST_INTERIM_ANSWERS = 20;
const INTERIM_CAUSE = `The server sent more than ${MOST_INTERIM_ANSWERS} interim responses (1xx) without a final one`;
/** A body of 1 MiB in chunks of 50 bytes. */
const MOST_PARTS = 20_000;
const PARTS_CAUSE = `The server sent its response in more than ${MOST_PARTS} chunks`;
/** The framing of a body in small chunks, and its trailers. */
const FRAMING_BYTES = 128 * 1024;
const HTTP_1 = ['http/1.1'];

export interface HttpMessage {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

/**
 * Verifies headers before connecting.
 * @throws Node's error for a name or value that HTTP does not allow
 */
export function assertHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
}

/** Returns the connection target of an http or https URL. */
export function httpTarget(url: URL, trust: TlsTrust): Pick<DialTarget, 'host' | 'port' | 'tls'> {
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  return { host: url.hostname, port, tls: isSecure ? { ...trust, alpn: HTTP_1 } : null };
}

/** Counts interim responses (RFC 9110 §15.2), and ends an exchange that has too many. */
export function countInterim(outgoing: ClientRequest, budget: Budget): void {
  outgoing.on('information', () => budget.count('interim', MOST_INTERIM_ANSWERS, INTERIM_CAUSE));
}

/** Sends a request over a dedicated connection. Resolves with the head of the final response. */
export function sendRequest(message: HttpMessage, socket: Socket, budget: Budget): Promise<IncomingMessage> {
  const { url, method, headers, body } = message;
  return new Promise((resolve, reject) => {
    const outgoing = http.request({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: { host: url.host, ...headers, ...(body !== null && { 'content-length': Buffer.byteLength(body) }) },
    });
    countInterim(outgoing, budget);
    outgoing.once('response', resolve);
    outgoing.once('upgrade', (response, upgraded) => {
      resolve(response);
      upgraded.destroy();
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

export interface HttpBody {
  body: Buffer;
  /** Whether there was more than `most`. */
  truncated: boolean;
  /** The error that ended the body early; null if there was none. */
  broken: Error | null;
}

/**
 * Returns the error that ended a body early whose end is the end of its connection (RFC 9112 §6.3); null if there was none. Node treats any end of
 * such a connection as the body's, including a deadline and a reset.
 */
function cutOffBy({ headers, socket }: IncomingMessage): Error | null {
  const isFramed = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return isFramed ? null : socket.errored;
}

/** Reads a body to its end, or to `most` bytes. Never rejects, because the part before a failure may be useful: `broken` has the error. */
export function readBody(response: IncomingMessage, most: number, budget: Budget): Promise<HttpBody> {
  budget.answerOf(2 * most + FRAMING_BYTES);
  const collected = new Collected(most);
  return new Promise((resolve) => {
    let isOver = false;
    const end = (truncated: boolean, broken: Error | null) => {
      isOver = true;
      resolve({ body: collected.bytes, truncated, broken });
    };
    response.on('data', (part: Buffer) => {
      budget.count('parts', MOST_PARTS, PARTS_CAUSE);
      const isTooLong = collected.size + part.length > most;
      collected.add(part);
      if (!isTooLong) return;
      end(true, null);
      response.destroy();
    });
    response.once('end', () => end(false, cutOffBy(response)));
    response.on('error', (error) => end(false, error));
    response.once('close', () => isOver || end(false, connectionClosed()));
  });
}

/** Returns a response's headers: names in lower case, values of a repeated header joined with ", ". */
export function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
