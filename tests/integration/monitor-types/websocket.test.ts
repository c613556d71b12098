import { createServer } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { observe } from '@/server/monitor-types/probes';
import { WebSocketConfig } from '@/server/monitor-types/schema';
import { asTeam, closedPort, httpTarget, listening, type Target, tcpTarget } from '@/tests/integration/checks/targets';
import { selfSignedCertificate } from '@/tests/support/certificate';
import { trustedCertificate } from '@/tests/support/certificates';

const open: Target[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

interface Seen {
  headers?: Record<string, unknown>;
  closed?: number;
}

/** A real WebSocket server. */
async function serve(
  greet: (socket: WebSocket) => void,
  { certificate, seen = {} }: { certificate?: typeof trustedCertificate; seen?: Seen } = {},
): Promise<number> {
  const server = certificate ? https.createServer(certificate) : createServer();
  const target = await listening(server);
  const sockets = new WebSocketServer({ server, handleProtocols: (offered) => [...offered].at(-1) ?? false });
  sockets.on('connection', (socket, request) => {
    seen.headers = request.headers;
    socket.on('close', (code) => {
      seen.closed = code;
    });
    socket.on('error', () => undefined);
    greet(socket);
  });
  open.push(target);
  return target.port;
}

async function raw(greet: (socket: Socket) => void): Promise<number> {
  const target = await tcpTarget(greet);
  open.push(target);
  return target.port;
}

const check = (url: string, changes: Record<string, unknown> = {}) =>
  observe({ type: 'websocket', config: WebSocketConfig.parse({ url, timeoutMs: 1_000, ...changes }) }, asTeam());

const echo = (socket: WebSocket) => socket.on('message', (data) => socket.send(`echo ${data.toString()}`));

describe('websocket probe', () => {
  it('is up if the connection opens, and sends a close frame', async () => {
    const seen: Seen = {};
    const port = await serve(() => undefined, { seen });
    const observed = await check(`ws://127.0.0.1:${port}/path?query`);
    expect(observed).toMatchObject({ outcome: 'ok', error: null, family: 4 });
    expect(observed.timings.firstByteMs).toBeGreaterThan(0);
    await expect.poll(() => seen.closed).toBe(1000);
  });

  it('sends its headers and subprotocols, and none of the handshake headers', async () => {
    const seen: Seen = {};
    const port = await serve(() => undefined, { seen });
    const headers = {
      authorization: 'Bearer secret',
      'Sec-WebSocket-Protocol': 'chat, superchat',
      'sec-websocket-key': 'mine',
      upgrade: 'h2c',
    };
    expect(await check(`ws://127.0.0.1:${port}/`, { headers })).toMatchObject({ outcome: 'ok' });
    expect(seen.headers).toMatchObject({
      authorization: 'Bearer secret',
      'user-agent': 'Upwatch/1.0',
      'sec-websocket-protocol': 'chat,superchat',
      upgrade: 'websocket',
    });
    expect(seen.headers?.['sec-websocket-key']).not.toBe('mine');
  });

  it('sends, and waits for the expected message', async () => {
    const port = await serve(echo);
    const seen = await check(`ws://127.0.0.1:${port}/`, { send: 'ping', expect: 'echo ping' });
    expect(seen).toMatchObject({ outcome: 'ok', error: null });
    expect(seen.timings.downloadMs).toBeGreaterThan(0);
  });

  it('reads a greeting sent at once', async () => {
    const port = await serve((socket) => {
      socket.send('one');
      socket.send(Buffer.from('ready now'));
    });
    const url = `ws://127.0.0.1:${port}/`;
    const all = await Promise.all(Array.from({ length: 20 }, () => check(url, { expect: 'ready' })));
    expect(all.map(({ error }) => error)).toEqual(Array(20).fill(null));
  });

  it('reports the message if it does not match', async () => {
    const echoing = await serve(echo);
    expect(await check(`ws://127.0.0.1:${echoing}/`, { send: 'ping', expect: 'pong', timeoutMs: 200 })).toMatchObject({
      outcome: 'failed',
      error: 'Expected a message with "pong", got "echo ping" in time',
    });
    const silent = await serve(() => undefined);
    expect(await check(`ws://127.0.0.1:${silent}/`, { expect: 'pong', timeoutMs: 200 })).toMatchObject({
      error: 'Expected a message with "pong", got none in time',
    });
    const closing = await serve((socket) => socket.close(1013, 'later'));
    expect(await check(`ws://127.0.0.1:${closing}/`, { expect: 'pong' })).toMatchObject({
      error: 'Expected a message with "pong", got none before the connection was closed (1013)',
    });
  });

  it('limits the data that it reads', async () => {
    const port = await serve((socket) => {
      for (let index = 0; index < 10; index += 1) socket.send('.'.repeat(900_000));
    });
    const seen = await check(`ws://127.0.0.1:${port}/`, { expect: 'pong', timeoutMs: 5_000 });
    expect(seen).toMatchObject({ outcome: 'failed', error: expect.stringContaining('4 MiB') });
    const huge = await serve((socket) => socket.send('.'.repeat(2_000_000)));
    expect(await check(`ws://127.0.0.1:${huge}/`, { expect: 'pong' })).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('violated the WebSocket protocol'),
    });
  });

  it('fails if the server rejects or redirects', async () => {
    const refusing = await httpTarget((_request, response) => void response.writeHead(403).end('no'));
    open.push(refusing);
    expect(await check(`ws://127.0.0.1:${refusing.port}/`)).toMatchObject({
      outcome: 'failed',
      error: 'Expected a WebSocket handshake (status 101), got status 403',
    });
    const leading = await httpTarget((_request, response) => void response.writeHead(302, { location: '/' }).end());
    open.push(leading);
    expect(await check(`ws://127.0.0.1:${leading.port}/`)).toMatchObject({ error: expect.stringContaining('302') });
  });

  it('fails if the handshake response is invalid', async () => {
    const wrong = await raw((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n');
        socket.write('sec-websocket-accept: nonsense\r\n\r\n');
      }),
    );
    expect(await check(`ws://127.0.0.1:${wrong}/`)).toMatchObject({
      outcome: 'failed',
      error: 'The WebSocket handshake failed: Invalid Sec-WebSocket-Accept header',
    });
    const noise = await raw((socket) => void socket.write('220 mail.test\r\n'));
    expect(await check(`ws://127.0.0.1:${noise}/`)).toMatchObject({ error: 'The response is not valid HTTP' });
  });

  it('fails if the port is closed, hangs, drips, or resets', async () => {
    expect(await check(`ws://127.0.0.1:${await closedPort()}/`)).toMatchObject({ error: 'Connection refused' });
    const hanging = await raw(() => undefined);
    expect(await check(`ws://127.0.0.1:${hanging}/`, { expect: 'x', timeoutMs: 200 })).toMatchObject({
      error: 'No response within 0.2 s',
    });
    const dripping = await raw((socket) => {
      const text = 'HTTP/1.1 101 Switching Protocols\r\n';
      let at = 0;
      const timer = setInterval(() => socket.write(text[at++] ?? 'x'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect(await check(`ws://127.0.0.1:${dripping}/`, { timeoutMs: 200 })).toMatchObject({ outcome: 'failed' });
    const resetting = await raw((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    expect(await check(`ws://127.0.0.1:${resetting}/`)).toMatchObject({
      outcome: 'failed',
      error: 'The connection was closed before the response was complete',
    });
    const breaking = await serve((socket) => socket.terminate());
    expect(await check(`ws://127.0.0.1:${breaking}/`, { expect: 'x' })).toMatchObject({
      error: expect.stringContaining('before the connection was closed (1006)'),
    });
  });

  it('uses TLS and verifies the certificate', async () => {
    const good = await serve(echo, { certificate: trustedCertificate });
    const seen = await check(`wss://localhost:${good}/`, { send: 'a', expect: 'echo a' });
    expect(seen).toMatchObject({ outcome: 'ok', certificate: { subject: 'localhost' } });
    const bad = await serve(echo, { certificate: selfSignedCertificate });
    expect(await check(`wss://localhost:${bad}/`)).toMatchObject({ error: 'Certificate is self-signed' });
  });
});
