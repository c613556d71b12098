import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { includesText } from '@/server/monitor-types/linear-search';
import { Attempt, type ObserveOptions, OwnFailure, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
import { ownHeaders } from '@/server/monitor-types/probing/headers';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { type Exchange, requestLine } from '@/server/monitor-types/probing/trace';
import type { WebSocketConfig } from '@/server/monitor-types/schema';
import { NOT_SAVED } from '@/server/monitor-types/verdict';
import { assertHeaders, countInterim, type DialTarget, NetworkTimeoutError } from '@/server/platform/net';
import { toTrust } from '../config/tls-trust';
import { excerpt } from '../excerpt';
import { readSubprotocols, SUBPROTOCOLS } from './subprotocols';

const MOST_MESSAGE_BYTES = 1024 * 1024;
/** The maximum length of text that is searched before the expected text counts as missing. */
const MOST_READ_BYTES = 4 * MOST_MESSAGE_BYTES;
const MOST_FRAMES = 3_000;
const FRAMES_CAUSE = `The server sent more than ${MOST_FRAMES} messages without the expected one`;
/** The maximum number of pings, pongs and empty messages. */
const MOST_CONTROL_FRAMES = 500;
const CONTROL_CAUSE = `The server sent more than ${MOST_CONTROL_FRAMES} pings or empty messages`;

export function webSocketTarget(config: WebSocketConfig): DialTarget {
  const url = new URL(config.url);
  const secure = url.protocol === 'wss:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const tls = secure ? { ...toTrust(config), alpn: ['http/1.1'] } : null;
  return { host: url.hostname, port, family: 0, tls };
}

interface Handshake {
  protocols: string[];
  headers: Record<string, string>;
}

/**
 * Returns the handshake headers and subprotocols.
 * @throws an error if they cannot be sent, before connecting
 */
function handshakeOf(config: WebSocketConfig): Handshake {
  const { [SUBPROTOCOLS]: offered = '', ...headers } = ownHeaders(config.headers);
  const protocols = readSubprotocols(offered);
  if (!protocols)
    throw new OwnFailure('The subprotocols of this monitor are invalid: enter tokens separated by commas');
  const own = Object.entries(headers).filter(([name]) => !name.startsWith('sec-websocket-'));
  const sent = { 'user-agent': 'Upwatch/1.0', ...Object.fromEntries(own) };
  assertHeaders(sent);
  return { protocols, headers: sent };
}

/** Starts the handshake over an open connection. Redirects are not followed (RFC 6455 §4.1). */
function begin(
  library: typeof import('ws'),
  config: WebSocketConfig,
  { protocols, headers }: Handshake,
  connection: Socket,
  attempt: Attempt,
): WebSocket {
  return new library.WebSocket(config.url, protocols, {
    createConnection: () => connection,
    headers,
    maxPayload: MOST_MESSAGE_BYTES,
    maxFragments: MOST_FRAMES,
    perMessageDeflate: false,
    followRedirects: false,
    finishRequest(request) {
      countInterim(request, attempt.budget);
      request.end();
    },
  });
}

/** Returns an error for users: errors of the library, which have no code or one of its own, as failures; network errors unchanged. */
function inWords(error: Error): Error {
  const code = 'code' in error ? String(error.code) : '';
  if (code === '') return new TargetFailure(`The WebSocket handshake failed: ${error.message}`);
  return code.startsWith('WS_ERR_')
    ? new TargetFailure(`The server violated the WebSocket protocol: ${error.message}`)
    : error;
}

/** Records the handshake's response (RFC 6455 §4.2.2) on the exchange. */
function note(
  exchange: Exchange,
  { httpVersion, statusCode, statusMessage, rawHeaders: headers }: IncomingMessage,
): void {
  exchange.response = { line: `HTTP/${httpVersion} ${statusCode} ${statusMessage}`, headers };
}

function opened(socket: WebSocket, exchange: Exchange, attempt: Attempt): Promise<void> {
  const from = attempt.now();
  return new Promise((resolve, reject) => {
    // Stays for the socket's lifetime: an error after the exchange must not end the process.
    socket.on('error', (error) => reject(inWords(error)));
    socket.once('upgrade', (response) => note(exchange, response));
    socket.once('unexpected-response', (request, response) => {
      note(exchange, response);
      const { statusCode } = response;
      reject(new TargetFailure(`Expected a WebSocket handshake (status 101), got status ${statusCode}`));
      request.destroy();
    });
    socket.once('open', () => {
      attempt.spent('firstByteMs', from);
      attempt.answering = true;
      attempt.budget.answerOf(MOST_READ_BYTES + MOST_MESSAGE_BYTES);
      resolve();
    });
  });
}

const textOf = (data: RawData) => (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString();
const quoted = (text: string) => JSON.stringify(excerpt(text));

/**
 * Waits for a message that contains `expected`.
 * @throws TargetFailure with the last message if the socket closes, time is over, or 4 MiB were searched
 */
function received(
  socket: WebSocket,
  expected: string,
  exchange: Exchange,
  { signal }: Attempt,
  isSaved: boolean,
): Promise<void> {
  let last: string | null = null;
  let read = 0;
  return new Promise((resolve, reject) => {
    const miss = (why: string) => {
      const got = last === null ? 'none' : isSaved ? quoted(last) : NOT_SAVED;
      reject(new TargetFailure(`Expected a message with ${quoted(expected)}, got ${got} ${why}`));
    };
    const late = () =>
      signal.reason instanceof NetworkTimeoutError && socket.readyState === socket.OPEN && miss('in time');
    signal.addEventListener('abort', late, { once: true });
    socket.on('message', (data) => {
      last = textOf(data);
      exchange.body = [last];
      read += last.length;
      if (includesText(last, expected)) resolve();
      else if (read > MOST_READ_BYTES) miss('and more, in the first 4 MiB');
    });
    socket.once('error', (error) => reject(inWords(error)));
    socket.once('close', (code) => {
      signal.removeEventListener('abort', late);
      miss(`before the connection was closed (${code})`);
    });
  });
}

function countFrames(socket: WebSocket, { budget }: Attempt): void {
  const countControl = () => budget.count('control', MOST_CONTROL_FRAMES, CONTROL_CAUSE);
  socket.on('ping', countControl);
  socket.on('pong', countControl);
  socket.on('message', (data: Buffer) => {
    budget.count('messages', MOST_FRAMES, FRAMES_CAUSE);
    if (data.length === 0) countControl();
  });
}

async function exchange(library: typeof import('ws'), config: WebSocketConfig, attempt: Attempt): Promise<void> {
  const handshake = handshakeOf(config);
  const socket = begin(library, config, handshake, await dial(webSocketTarget(config), attempt), attempt);
  const { send, expect } = config;
  const url = new URL(config.url);
  const exchange = attempt.exchange(requestLine({ method: 'GET', url }), handshake.headers);
  const from = attempt.now();
  try {
    countFrames(socket, attempt);
    // Both listen from the start: the first message may share a packet with the end of the handshake.
    await Promise.all([
      opened(socket, exchange, attempt).then(() => send !== undefined && socket.send(send)),
      expect !== undefined &&
        received(socket, expect, exchange, attempt, config.saveResponseBody ?? true).then(() =>
          attempt.spent('downloadMs', from),
        ),
    ]);
  } finally {
    // The verdict does not wait for the peer's close frame.
    if (socket.readyState === socket.OPEN) socket.close(1000);
  }
}

/**
 * Opens a WebSocket (RFC 6455) with `headers`, sends `send` as text, and waits for a message that contains `expect`. All within `timeoutMs`. Rejects
 * only if the signal aborts.
 */
export async function observeWebSocket(config: WebSocketConfig, options: ObserveOptions): Promise<Observation> {
  // Loaded at the first check of this type, before its timeout starts.
  const library = await import('ws');
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => {
    await exchange(library, config, attempt);
    return {};
  });
}
