import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { observe } from '@/server/monitor-types/probes';
import { type CheckedConfig, definitions } from '@/server/monitor-types/schema';
import { guardedRequest } from '@/server/platform/net';
import { trustedCertificate } from '@/tests/support/certificates';
import { closedDownTo, countDescriptors } from '@/tests/support/descriptors';
import { type Target, tcpTarget } from './targets';

const TIMEOUT_MS = 10_000;

/** A team of its own for each check, which does not pay for the floods before. */
const newTeam = () => crypto.randomUUID();
const open: Target[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** Sends the same bytes repeatedly, as fast as the client reads them. */
function flood(socket: Socket, bytes: Buffer): void {
  const many = Buffer.concat(Array<Buffer>(Math.ceil(65_536 / bytes.length)).fill(bytes));
  const write = () => {
    while (!socket.destroyed && socket.write(many));
  };
  socket.on('drain', write);
  write();
}

/** Answers the first data with `head`, then floods. */
const floodAfter =
  (head: (asked: string) => string | Buffer, bytes: Buffer | string) =>
  (socket: Socket): void => {
    socket.once('data', (asked: Buffer) => {
      socket.resume();
      socket.write(head(asked.toString('latin1')));
      flood(socket, Buffer.from(bytes));
    });
  };

const OK = 'HTTP/1.1 200 OK\r\n';
const chunked = `${OK}transfer-encoding: chunked\r\n\r\n`;

function accept(asked: string): string {
  const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(asked) ?? [];
  const hash = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${hash}\r\n\r\n`;
}

/** An HTTP/2 frame. */
function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const settings = () => frame(4, 0, 0);
const headers = Buffer.concat([settings(), frame(1, 4, 1, Buffer.from([0x88]))]);

type Make = (port: number, secure: boolean) => CheckedConfig;
const of = (type: CheckedConfig['type'], config: object) =>
  ({ type, config: definitions[type].schema.parse({ timeoutMs: TIMEOUT_MS, ...config }) }) as CheckedConfig;
const http: Make = (port, secure) => of('http', { url: `http${secure ? 's' : ''}://localhost:${port}/` });
const ws: Make = (port, secure) =>
  of('websocket', { url: `ws${secure ? 's' : ''}://localhost:${port}/`, expect: 'ready' });
const grpc: Make = (port, secure) => of('grpc', { host: 'localhost', port, tls: secure });
const tcp: Make = (port, secure) => of('tcp', { host: 'localhost', port, tls: secure, send: 'x', expect: 'ready' });

const INTERIM = 'The server sent more than 20 interim responses (1xx) without a final one';
const BEFORE = 'The server sent more than 128 KiB without a response';
const COMPUTING = 'Processing the response took more than 100 ms of CPU time';
const MESSAGES = 'The server sent more than 3000 messages without the expected one';
const CONTROL = 'The server sent more than 500 pings or empty messages';
const FRAMES = /more than 500 HTTP\/2 frames for one response|without data|HTTP\/2|aborted|closed/;
const HUGE = 'The response headers are too large';

const FLOODS: [string, Make, (socket: Socket) => void, string | RegExp][] = [
  ['interim answers', http, floodAfter(() => '', 'HTTP/1.1 100 Continue\r\n\r\n'), INTERIM],
  ['early hints', http, floodAfter(() => '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), INTERIM],
  ['headers', http, floodAfter(() => OK, 'a: b\r\n'), HUGE],
  ['one endless header', http, floodAfter(() => `${OK}a: `, 'b'.repeat(1_000)), HUGE],
  [
    'an endless status line',
    http,
    floodAfter(() => 'HTTP/1.1 200 ', 'b'.repeat(1_000)),
    new RegExp(`${HUGE}|${BEFORE.slice(0, 20)}`),
  ],
  [
    'empty lines before an answer',
    http,
    floodAfter(() => '', '\r\n'),
    new RegExp(`not valid HTTP|${BEFORE.slice(0, 20)}`),
  ],
  [
    'chunks of one byte',
    http,
    floodAfter(() => chunked, '1\r\nx\r\n'),
    new RegExp(`${COMPUTING}|more than 2 MiB for one response|more than 20000 chunks`),
  ],
  [
    'chunk extensions',
    http,
    floodAfter(() => chunked, `1;${'a'.repeat(8_000)}\r\nx\r\n`),
    /not valid HTTP|too large|for one response/,
  ],
  ['trailers', http, floodAfter(() => `${chunked}0\r\n`, 'a: b\r\n'), /closed before the response was complete/],
  ['empty messages', ws, floodAfter(accept, Buffer.from([0x81, 0])), CONTROL],
  ['tiny messages', ws, floodAfter(accept, Buffer.from([0x81, 1, 0x78])), MESSAGES],
  ['pings', ws, floodAfter(accept, Buffer.from([0x89, 0])), CONTROL],
  ['pongs', ws, floodAfter(accept, Buffer.from([0x8a, 0])), CONTROL],
  [
    'empty fragments',
    ws,
    floodAfter((asked) => `${accept(asked)}\u0001\u0000`, Buffer.from([0, 0])),
    /Too many message fragments/,
  ],
  ['handshake headers', ws, floodAfter(() => 'HTTP/1.1 101 Switching Protocols\r\n', 'a: b\r\n'), HUGE],
  ['interim handshake answers', ws, floodAfter(() => '', 'HTTP/1.1 100 Continue\r\n\r\n'), INTERIM],
  ['PING frames', grpc, floodAfter(settings, frame(6, 0, 0, Buffer.alloc(8))), FRAMES],
  ['SETTINGS frames', grpc, floodAfter(settings, frame(4, 0, 0)), FRAMES],
  ['WINDOW_UPDATE frames', grpc, floodAfter(settings, frame(8, 0, 0, Buffer.from([0, 0, 0, 1]))), FRAMES],
  ['frames of an unknown type', grpc, floodAfter(settings, frame(200, 0, 0)), FRAMES],
  ['empty DATA frames', grpc, floodAfter(() => headers, frame(0, 0, 1)), FRAMES],
  ['CONTINUATION frames', grpc, floodAfter(() => Buffer.concat([settings(), frame(1, 0, 1)]), frame(9, 0, 1)), FRAMES],
  ['PRIORITY frames', grpc, floodAfter(settings, frame(2, 0, 1, Buffer.alloc(5))), FRAMES],
  ['RST_STREAM frames', grpc, floodAfter(settings, frame(3, 0, 1, Buffer.alloc(4))), FRAMES],
  ['ALTSVC frames', grpc, floodAfter(settings, frame(10, 0, 0, Buffer.from([0, 1, 0x61]))), FRAMES],
  ['interim headers', grpc, floodAfter(settings, frame(1, 4, 1, Buffer.from([0x08, 3, 0x31, 0x30, 0x33]))), FRAMES],
  ['bytes', tcp, floodAfter(() => '', 'x'.repeat(1_000)), /and more, in its first 64 KiB/],
];

const check = (config: CheckedConfig) =>
  observe(config as Parameters<typeof observe>[0], { signal: new AbortController().signal, teamId: newTeam() });

describe.each([false, true])('check over TLS: %s, of a server that floods it', (secure) => {
  it.each(FLOODS)('fails soon with %s, with its own cause', async (_name, make, greet, cause) => {
    const before = countDescriptors();
    const target = await tcpTarget(
      greet,
      secure ? { secure, certificate: { ...trustedCertificate, ALPNProtocols: ['h2', 'http/1.1'] } } : {},
    );
    open.push(target);
    const seen = await check(make(target.port, secure));
    expect(seen.outcome).toBe('failed');
    if (typeof cause === 'string') expect(seen.error).toBe(cause);
    else expect(seen.error).toMatch(cause);
    expect(seen.latencyMs).toBeLessThan(TIMEOUT_MS / 2);
    await target.close();
    open.pop();
    await closedDownTo(before);
  });
});

describe('webhook receiver that floods', () => {
  const ask = (port: number, acceptPart = false) =>
    guardedRequest({
      url: `http://localhost:${port}/`,
      method: 'POST',
      teamId: newTeam(),
      body: '{}',
      acceptPart,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: 16_384,
    });

  it('is rejected if it sends interim responses', async () => {
    const target = await tcpTarget(floodAfter(() => '', 'HTTP/1.1 100 Continue\r\n\r\n'));
    open.push(target);
    await expect(ask(target.port)).rejects.toThrow(INTERIM);
  });

  it('is read up to the limit if its body is endless', async () => {
    const target = await tcpTarget(floodAfter(() => `${chunked}2\r\nOK\r\n`, '1\r\nx\r\n'));
    open.push(target);
    expect(await ask(target.port, true)).toMatchObject({ status: 200, truncated: true });
  });
});
