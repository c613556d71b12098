import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { observe } from '@/server/monitor-types/probes';
import { type CheckedConfig, definitions } from '@/server/monitor-types/schema';
import { guardedRequest } from '@/server/platform/net';
import { selfSignedCertificate } from '@/tests/support/certificate';
import { trustedCertificate } from '@/tests/support/certificates';
import { canCountDescriptors, closedDownTo, countDescriptors } from '@/tests/support/descriptors';
import { closedPort, type Target, tcpTarget } from './targets';

const open: Target[] = [];
let before = 0;

beforeEach(() => {
  before = countDescriptors();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

type Greet = (socket: Socket) => void;
const onData =
  (text: string): Greet =>
  (socket) =>
    void socket.on('data', () => socket.write(text));

/** With TLS, a connection ends without a reset. */
const reset: Greet = (socket) => void (socket instanceof TLSSocket ? socket.destroy() : socket.resetAndDestroy());

/** Servers that send no valid answer. */
const FAILURES: Record<string, Greet> = {
  'says nothing': () => undefined,
  'closes at once': (socket) => void socket.end(),
  'resets at once': reset,
  'resets when asked': (socket) => void socket.on('data', () => reset(socket)),
  'says what makes no sense': (socket) => void socket.write(Buffer.alloc(4_096, 0xa5)),
  'breaks off an answer': onData('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello'),
  'upgrades to something else': onData('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  'leads in a circle': onData('HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 5\r\n\r\nhello'),
  'never ends an answer': onData('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'),
  drips: (socket) => {
    const timer = setInterval(() => socket.write('H'), 20);
    socket.once('close', () => clearInterval(timer));
  },
};

const SECURE = { trusted: trustedCertificate, 'self-signed': selfSignedCertificate };

const TYPES: Record<string, (port: number, timeoutMs: number) => CheckedConfig> = {
  http: (port, timeoutMs) => of('http', { url: `http://localhost:${port}/`, timeoutMs, body: 'x', method: 'POST' }),
  https: (port, timeoutMs) => of('http', { url: `https://localhost:${port}/`, timeoutMs }),
  token: (port, timeoutMs) => {
    const auth = { kind: 'oauth2', tokenUrl: `http://localhost:${port}/`, clientId: 'a', clientSecret: 'b' };
    return of('http', { url: `http://localhost:${port}/`, timeoutMs, auth });
  },
  tcp: (port, timeoutMs) => of('tcp', { host: 'localhost', port, send: 'x', expect: 'y', timeoutMs }),
  'tcp over TLS': (port, timeoutMs) =>
    of('tcp', { host: 'localhost', port, tls: true, send: 'x', expect: 'y', timeoutMs }),
  tls: (port, timeoutMs) => of('tls', { host: 'localhost', port, timeoutMs }),
  ws: (port, timeoutMs) => of('websocket', { url: `ws://localhost:${port}/`, expect: 'y', timeoutMs }),
  wss: (port, timeoutMs) => of('websocket', { url: `wss://localhost:${port}/`, expect: 'y', timeoutMs }),
  grpc: (port, timeoutMs) => of('grpc', { host: 'localhost', port, timeoutMs }),
  'grpc over TLS': (port, timeoutMs) => of('grpc', { host: 'localhost', port, tls: true, timeoutMs }),
};

/** A saved config, changed afterwards to values that validation would refuse. */
function of<T extends CheckedConfig['type']>(type: T, config: object, past: object = {}): CheckedConfig {
  return { type, config: { ...definitions[type].schema.parse(config), ...past } } as unknown as CheckedConfig;
}

const check = (config: CheckedConfig, signal = new AbortController().signal) =>
  observe(config as Parameters<typeof observe>[0], { signal, teamId: 'team' });

const webhook = (url: string, headers: Record<string, string> = {}) =>
  guardedRequest({
    url,
    headers,
    method: 'POST',
    teamId: 'team',
    body: 'x',
    timeoutMs: 200,
    maxResponseBytes: 100,
    acceptPart: true,
  }).then(
    () => 'answered',
    (error: Error) => error.message,
  );

async function serve(greet: Greet, certificate?: typeof trustedCertificate): Promise<number> {
  // A server that does not read does not notice that a connection was closed.
  const readAll: Greet = (socket) => greet(socket.resume());
  const target = await tcpTarget(readAll, certificate ? { secure: true, certificate } : {});
  open.push(target);
  return target.port;
}

const SERVERS = Object.entries(FAILURES).flatMap(([name, greet]) => [
  { name, greet, certificate: undefined },
  ...Object.entries(SECURE).map(([kind, certificate]) => ({ name: `${name} over TLS (${kind})`, greet, certificate })),
]);

describe.skipIf(!canCountDescriptors)('open file descriptors', () => {
  it.each(SERVERS)('return to their number after every type of check of a server that $name', async (server) => {
    const port = await serve(server.greet, server.certificate);
    const listening = countDescriptors();
    const configs = Object.values(TYPES).map((make) => make(port, 200));
    const seen = await Promise.all(configs.map((config) => check(config)));
    expect(seen.map(({ outcome }) => outcome)).not.toContain('unknown');
    await Promise.all([webhook(`http://localhost:${port}/`), webhook(`https://localhost:${port}/`)]);
    const stopped = await Promise.allSettled(
      Object.values(TYPES).map((make) => check(make(port, 5_000), AbortSignal.timeout(50))),
    );
    expect(stopped.length).toBe(configs.length);
    await closedDownTo(listening);
    await Promise.all(open.splice(0).map((each) => each.close()));
    await closedDownTo(before);
  });

  it('return to their number after every type of check of a closed port', async () => {
    const port = await closedPort();
    await Promise.all(Object.values(TYPES).map((make) => check(make(port, 500))));
    await webhook(`http://localhost:${port}/`);
    await closedDownTo(before);
  });

  it('return to their number after requests that cannot be built', async () => {
    const port = await serve(() => undefined);
    const listening = countDescriptors();
    const http = { url: `http://localhost:${port}/`, timeoutMs: 500 };
    const ws = { url: `ws://localhost:${port}/`, timeoutMs: 500 };
    const configs = [
      of('http', http, { auth: { kind: 'bearer', token: 'gehéim-€' } }),
      of('http', http, { headers: { 'x-a': 'a\r\nb' } }),
      of('http', http, { headers: { 'a b': 'c' } }),
      of('http', http, { method: 'BAD METHOD' }),
      of('websocket', ws, { headers: { 'sec-websocket-protocol': 'a, a' } }),
      of('websocket', ws, { headers: { 'Sec-WebSocket-Protocol': 'ä;b' } }),
      of('websocket', ws, { headers: { 'x-a': '€' } }),
    ];
    const seen = await Promise.all(configs.map((config) => check(config)));
    expect(await webhook(http.url, { 'x-a': '€' })).toContain('Invalid character in header content');
    await closedDownTo(listening);
    expect(seen.map(({ outcome }) => outcome)).toEqual([
      ...['unknown', 'unknown', 'unknown', 'unknown'],
      // The first request can be sent, but the server does not answer it.
      ...['failed', 'unknown', 'unknown'],
    ]);
  });
});
