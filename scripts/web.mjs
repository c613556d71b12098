// @ts-check
// The web process: Next behind a server of our own, which knows what Next does not tell: who the caller is, and when to end.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import next from 'next';
import { monotonicFactory } from 'ulid';
import { ownHeaders } from './lib/own-headers.mjs';
import { envelope, refusalOf, toPath } from './lib/refusals.mjs';
import { BUILD } from './lib/stamps.mjs';

/** Requests that have begun may end within this time of SIGTERM. */
const PATIENCE_MS = 5_000;

process.title = 'upwatch-web';

const dev = process.argv.includes('--dev');
/** @type {import('../server/platform/env')} */
const { env } = await import(pathToFileURL(`${BUILD}/env.mjs`).href);
const { host: hostname, port } = env;
const giveHeaders = ownHeaders(env);

// Node keeps random numbers in store; the library's own source asks the system for one byte at a time.
const newId = monotonicFactory(() => randomInt(32) / 32);

/** @type {Set<import('node:http').ServerResponse>} */
const open = new Set();
let isStopping = false;

/** @type {import('node:http').RequestListener} */
let handle = (_request, response) => void response.writeHead(503, { 'retry-after': '1' }).end();

const server = createServer((request, response) => {
  const id = newId();
  const path = toPath(request.url ?? '');
  request.url = path ?? '/';
  giveHeaders(request, id);
  response.setHeader('x-request-id', id);
  if (isStopping) response.setHeader('connection', 'close');
  joinWrites(response);
  open.add(response);
  response.once('close', () => open.delete(response));
  // What is left of a body nobody read would be taken for the connection's next request.
  response.once('finish', () => request.complete || request.resume());
  const refusal = refusalOf(request.method ?? '', path);
  if (!refusal) return handle(request, response);
  response.writeHead(refusal.status, refusal.headers).end(refusal.body);
});
server.headersTimeout = 20_000;
server.requestTimeout = 60_000;
// Longer than the usual proxy keeps an idle connection, so that it is the proxy that closes it.
server.keepAliveTimeout = 75_000;

server.on('clientError', (/** @type {NodeJS.ErrnoException} */ error, socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const message = tooLarge ? 'The request headers are too large.' : 'The request is malformed.';
  const body = envelope('VALIDATION_ERROR', message, Number(status.slice(0, 3)));
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${newId()}\r\nconnection: close\r\n\r\n${body}`,
  );
});

/**
 * Next writes an answer's head, its body and its end one by one; what is written in one turn of the event loop leaves as one.
 * @param {import('node:http').ServerResponse} response
 */
function joinWrites(response) {
  const flush = response.flushHeaders;
  response.flushHeaders = () => {
    const { socket } = response;
    socket?.cork();
    flush.call(response);
    setImmediate(() => socket?.uncork());
  };
}

/** @param {import('node:http').ServerResponse} response */
function isStream(response) {
  return String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
}

function stop() {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(0), PATIENCE_MS);
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  // A stream never ends by itself; a browser opens it again, at whoever answers then.
  for (const response of open) if (isStream(response)) response.socket?.destroy();
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);

server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  process.stdout.write(`${JSON.stringify({ level: 'fatal', time: new Date().toISOString(), msg: error.message })}\n`);
  process.exit(1);
});

// Next takes upgrades over only to reload pages in development, and leaves all others open for ever: in production it gets
// a server that nobody reaches, and Node answers an upgrade as any other request.
const app = next({ dev, hostname, port, httpServer: dev ? server : createServer() });
await app.prepare();
const answer = app.getRequestHandler();
handle = (request, response) => void answer(request, response);
if (!isStopping) server.listen(port, hostname, () => process.connected && process.send?.('serving'));
