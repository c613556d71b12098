// @ts-check
// The web process: Next behind our own server, which determines the client address and controls the shutdown.
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import next from 'next';
import { monotonicFactory } from 'ulid';
import nextConfig from '../next.config.mjs';
import { BUILD, isRelease } from './lib/build/stamps.mjs';
import { note } from './lib/notes.mjs';
import { callTurns, isCall } from './lib/web/call-turns.mjs';
import { trustedPeers } from './lib/web/client-address.mjs';
import { limitConnections } from './lib/web/connection-limit.mjs';
import { constantAnswers } from './lib/web/constant-answers.mjs';
import { chunkLimit, pipeliningLimit } from './lib/web/flood-limits.mjs';
import { dropNextHeaders, keepOwnCookies } from './lib/web/next-headers.mjs';
import { ownHeaders } from './lib/web/own-headers.mjs';
import { isRendered, pageTurns } from './lib/web/page-turns.mjs';
import { envelope, headerFault, isPage, refusalOf, toPath } from './lib/web/refusals.mjs';
import { isStream, watchRequests } from './lib/web/requests.mjs';

/** The time that running requests have after SIGTERM. */
const PATIENCE_MS = 5_000;
/** The connections of one network: the browsers of an office without a proxy, with six each. */
const MOST_CONNECTIONS = 3_000;

process.title = 'upwatch-web';

const dev = process.argv.includes('--dev');
/** @type {typeof import('../app/web')} */
const front = await import(pathToFileURL(`${BUILD}/web.mjs`).href);
const { createRenderer, env, exitCodeOf, isRefusal, untilUsable } = front;
/** @type {import('../server/api/status-server').StatusShared & { upwatchStop?: (code: number) => void }} */
const shared = /** @type {object} */ (globalThis);
shared.upwatchStatusRenderer = createRenderer({
  style: readFileSync(`${BUILD}/status/status.css`),
  script: readFileSync(`${BUILD}/status/main.js`),
  font: readFileSync('node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2'),
});
const { host: hostname, port } = env;
const giveHeaders = ownHeaders(env);
const isLogged = !dev && env.requestLog && ['trace', 'debug', 'info'].includes(env.logLevel);
const pageInTurn = pageTurns(new front.PageGate(env.pageRateLimitPerMinute));
const callInTurn = callTurns(new front.CallGate());
const isFlood = pipeliningLimit();
const limitChunks = chunkLimit(front);
const answerConstant = dev ? () => false : constantAnswers(front, { headers: await fileHeaders() });
const publicFiles = new Set(readdirSync('public').map((name) => `/${name}`));
const watch = watchRequests({ write: isLogged ? (line) => void process.stdout.write(line) : undefined });

/**
 * For every response: a browser that came by TLS uses only TLS for a year (RFC 6797). Excludes subdomains, which may belong to others.
 * @type {Record<string, string>}
 */
const onEveryAnswer = env.appUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {};

// Node buffers random numbers; the library's own source asks the system for one byte at a time.
const newId = monotonicFactory(() => randomInt(32) / 32);

/** Returns the headers that Next sets for everything but pages. */
async function fileHeaders() {
  const rules = (await nextConfig.headers?.()) ?? [];
  return Object.fromEntries(rules.flatMap(({ headers }) => headers.map(({ key, value }) => [key, value])));
}

/** @type {Set<import('node:http').ServerResponse>} */
const open = new Set();
/**
 * The last response on each connection.
 * @type {WeakMap<import('node:stream').Duplex, import('node:http').ServerResponse>}
 */
const lastOn = new WeakMap();
let isStopping = false;

/** @type {import('node:http').RequestListener} */
let handle = (_request, response) => void response.writeHead(503, { 'retry-after': '1' }).end();

/**
 * Answers a request, or passes it to Next.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {string | null} [fault] an error of the request, as a sentence
 */
function receive(request, response, fault = headerFault(request)) {
  if (isFlood(request, response)) return;
  const id = newId();
  const path = toPath(request.url ?? '');
  request.url = path ?? '/';
  giveHeaders(request, id);
  limitChunks(request);
  response.setHeader('x-request-id', id);
  watch(request, response, id);
  for (const [name, value] of Object.entries(onEveryAnswer)) response.setHeader(name, value);
  if (isStopping) response.setHeader('connection', 'close');
  joinWrites(response);
  open.add(response);
  lastOn.set(request.socket, response);
  response.once('close', () => {
    open.delete(response);
    // Otherwise the kept-alive connection of a proxy would be reset during its next request.
    if (isStopping) setImmediate(() => server.closeIdleConnections());
  });
  // Otherwise the rest of an unread body would be parsed as the next request.
  response.once('finish', () => request.complete || request.resume());
  const refusal = refusalOf(request.method ?? '', path, fault);
  if (refusal) return void response.writeHead(refusal.status, refusal.headers).end(refusal.body);
  const [pathname = ''] = request.url.split('?', 1);
  // In development, a page is compiled on its first request and reloads itself.
  if (dev) return handle(request, response);
  dropNextHeaders(request.headers, isPage(pathname));
  keepOwnCookies(request.headers);
  if (answerConstant(request, response, pathname)) return;
  const answer = () => handle(request, response);
  if (isRendered(pathname, publicFiles)) return void pageInTurn(request, response, answer);
  if (isCall(pathname)) return void callInTurn(request, response, answer);
  answer();
}

// A missing Host is rejected above, with the envelope; Node would answer it with an empty body.
const server = createServer({ requireHostHeader: false }, (request, response) => receive(request, response));
server.on('connection', front.noteConnection);
limitConnections(server, {
  most: MOST_CONNECTIONS,
  networkOf: front.networkOf,
  isTrusted: trustedPeers(env.trustedProxies),
});
server.on('checkExpectation', (request, response) => {
  receive(request, response, 'The Expect header may only be 100-continue.');
});
server.headersTimeout = 20_000;
server.requestTimeout = 60_000;
// Longer than the usual keep-alive timeout of proxies, so that the proxy closes the connection.
server.keepAliveTimeout = 75_000;

/**
 * Answers on a connection without a Node response, and closes it.
 * @param {import('node:stream').Duplex} socket
 * @param {string} status with its reason phrase
 * @param {string} body
 * @param {Record<string, string>} [more]
 */
function answerBare(socket, status, body, more = {}) {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': newId(),
    connection: 'close',
    ...onEveryAnswer,
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

server.on('clientError', (/** @type {NodeJS.ErrnoException} */ error, socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
  // A request that was answered before its end turned out to be malformed gets no second response.
  const last = lastOn.get(socket);
  if (last?.headersSent && (!last.req.complete || !last.shouldKeepAlive)) return void socket.end();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const message = tooLarge ? 'The request headers are too large.' : 'The request is malformed.';
  answerBare(socket, status, envelope('VALIDATION_ERROR', message, Number(status.slice(0, 3))));
});

server.on('connect', (request, socket) => {
  socket.on('error', () => socket.destroy());
  const refusal = refusalOf(request.method ?? '', null);
  if (refusal) answerBare(socket, '405 Method Not Allowed', refusal.body, { allow: refusal.headers.allow ?? '' });
});

/**
 * Sends what a response writes within one turn of the event loop at once, because Next writes head, body and end separately.
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

/** @param {number} code the exit code */
function stop(code) {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(code), PATIENCE_MS);
  server.close(() => process.exit(code));
  server.closeIdleConnections();
  // Event streams never end by themselves. Browsers reconnect to another process.
  for (const response of open) if (isStream(response)) response.socket?.destroy();
}

shared.upwatchStop = stop;
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop(0));

/** @param {Error} error */
function fail(error) {
  note('fatal', error.message);
  process.exit(exitCodeOf(error));
}

/** Ends this process if it does not match its database. Retries while the database is unavailable; until then, requests get 503. */
function untilKnown() {
  const { signal } = new AbortController();
  return new Promise((resolve) => {
    untilUsable(env, { signal, onAway: () => resolve(false) }).then(resolve, (error) => {
      if (isRefusal(error)) fail(error);
      throw error;
    });
  });
}

server.once('error', fail);
await untilKnown();

// As Next's own standalone server does: the configuration as it was built, without the packages that would read it again.
if (isRelease()) {
  const { config } = JSON.parse(readFileSync('.next/required-server-files.json', 'utf8'));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}

// Next handles upgrades only to reload pages in development, and leaves all others open forever. In production it gets a server that nobody reaches,
// and Node answers an upgrade like any other request.
const app = next({ dev, hostname, port, httpServer: dev ? server : createServer() });
await app.prepare();
const answer = app.getRequestHandler();
handle = (request, response) => {
  const answerStatus = request.url?.startsWith('/status/') ? shared.upwatchAnswerStatus : undefined;
  void (answerStatus ?? answer)(request, response);
};
if (!isStopping) server.listen(port, hostname, () => process.connected && process.send?.('serving'));
