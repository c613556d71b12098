import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { describeNetworkError, type GuardedRequest, guardedRequest, NetworkTimeoutError } from '@/server/platform/net';
import { selfSignedCertificate } from '@/tests/support/certificate';

let stop: (() => Promise<unknown>) | null = null;
afterEach(async () => {
  await stop?.();
  stop = null;
});

async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const web = async (handler: RequestListener) => `http://127.0.0.1:${await listen(http.createServer(handler))}`;
/** A server that sends a fixed response to any request. */
const raw = async (answer: (socket: Socket) => void) =>
  `http://127.0.0.1:${await listen(net.createServer((socket) => socket.once('data', () => answer(socket))))}`;

const send = (url: string, options: Partial<GuardedRequest> = {}) =>
  guardedRequest({ url, method: 'GET', teamId: 'team', timeoutMs: 3_000, maxResponseBytes: 1_000, ...options });
const failure = (url: string, options: Partial<GuardedRequest> = {}) =>
  send(url, options).then(
    () => 'no failure',
    (error: unknown) => describeNetworkError(error),
  );

describe('guardedRequest', () => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    const url = await web(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { method, url: path, headers } = request;
      response.writeHead(201, { 'x-one': 'a', 'set-cookie': ['a=1', 'b=2'] });
      response.end(
        JSON.stringify({
          method,
          path,
          type: headers['content-type'],
          length: headers['content-length'],
          body: String(Buffer.concat(parts)),
        }),
      );
    });
    const answer = await send(`${url}/hook?x=1`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"é":1}',
    });
    expect(answer).toMatchObject({
      status: 201,
      headers: { 'x-one': 'a', 'set-cookie': 'a=1, b=2' },
      truncated: false,
    });
    expect(JSON.parse(answer.body)).toEqual({
      method: 'POST',
      path: '/hook?x=1',
      type: 'application/json',
      length: '8',
      body: '{"é":1}',
    });
  });

  it('follows no redirect', async () => {
    let requests = 0;
    const url = await web((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: '/next' }).end();
    });
    expect(await send(url)).toMatchObject({ status: 302, headers: { location: '/next' } });
    expect(requests).toBe(1);
  });

  it('opens a new connection for every request', async () => {
    const ports = new Set<number | undefined>();
    const url = await web((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    await send(url);
    await send(url);
    expect(ports.size).toBe(2);
  });

  it('truncates a long response and disconnects', async () => {
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write('x'.repeat(10_000)));
      };
      socket.on('drain', more);
      more();
    });
    const answer = await send(url, { maxResponseBytes: 5_000 });
    expect(answer).toMatchObject({ status: 200, truncated: true });
    expect(answer.body).toBe('x'.repeat(5_000));
  });

  it('accepts a response of exactly the maximum size whole', async () => {
    const url = await web((_request, response) => response.end('x'.repeat(1_000)));
    expect(await send(url)).toMatchObject({ body: 'x'.repeat(1_000), truncated: false });
  });

  it('returns no body for HEAD and 204', async () => {
    const url = await web((_request, response) => response.writeHead(204).end());
    expect(await send(url)).toMatchObject({ status: 204, body: '' });
    expect(await send(url, { method: 'HEAD' })).toMatchObject({ status: 204, body: '' });
  });
});

describe('guardedRequest timeouts', () => {
  const dripping = (head: string) => (socket: Socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(timer));
  };

  it('end a silent server', async () => {
    const url = await raw(() => undefined);
    await expect(send(url, { timeoutMs: 300 })).rejects.toBeInstanceOf(NetworkTimeoutError);
    expect(await failure(url, { timeoutMs: 300 })).toBe('No response within 0.3 s');
  });

  it('end dripping headers', async () => {
    const url = await raw(dripping('HTTP/1.1 200 OK\r\nx-slow: '));
    expect(await failure(url, { timeoutMs: 300 })).toBe('No response within 0.3 s');
  });

  it('end a dripping body', async () => {
    const url = await raw(dripping('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n'));
    expect(await failure(url, { timeoutMs: 300 })).toBe('The response did not end within 0.3 s');
  });

  it.each(['HTTP/1.1 200 OK\r\n\r\n', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n900\r\n'])(
    'end a dripping body after %j, whose end is unknown',
    async (head) => {
      const url = await raw(dripping(head));
      expect(await failure(url, { timeoutMs: 300 })).toBe('The response did not end within 0.3 s');
    },
  );

  it('reject a body without a length whose connection is reset', async () => {
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nbegun');
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
    expect(await failure(url)).toBe('The connection was closed before the response was complete');
  });

  it('accept a body without a length that ends with its connection', async () => {
    const url = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
    expect(await send(url)).toMatchObject({ status: 200, body: 'all of it', truncated: false });
  });

  it('accept the status of a response whose body is only partly accepted', async () => {
    const part = { timeoutMs: 300, acceptPart: true };
    const dripped = await send(await raw(dripping('HTTP/1.1 202 OK\r\ncontent-length: 900\r\n\r\nbegun')), part);
    expect(dripped).toMatchObject({ status: 202, body: expect.stringMatching(/^begunx*$/), truncated: true });
    await stop?.();
    const broken = await send(
      await raw((socket) => socket.end('HTTP/1.1 503 No\r\ncontent-length: 900\r\n\r\nbegun')),
      part,
    );
    expect(broken).toMatchObject({ status: 503, body: 'begun', truncated: true });
  });

  it('end endless interim responses', async () => {
    const url = await raw((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await failure(url, { timeoutMs: 300 })).toBe('No response within 0.3 s');
  });

  it('end when aborted, with the given reason', async () => {
    const url = await raw(() => undefined);
    const stopped = new AbortController();
    const reason = new Error('shutting down');
    const waiting = send(url, { signal: stopped.signal });
    setTimeout(() => stopped.abort(reason), 50);
    await expect(waiting).rejects.toBe(reason);
    await expect(send(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('guardedRequest errors', () => {
  it('explain that the port is closed', async () => {
    const port = await listen(net.createServer());
    await stop?.();
    stop = null;
    expect(await failure(`http://127.0.0.1:${port}`)).toBe('Connection refused');
  });

  it.each([
    ['nothing', '', 'The connection was closed before the response was complete'],
    [
      'half a body',
      'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nhalf',
      'The connection was closed before the response was complete',
    ],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'The response is not valid HTTP'],
    ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`, 'The response headers are too large'],
  ])('explain that the server sent %s', async (_what, answer, words) => {
    const url = await raw((socket) => socket.end(answer));
    expect(await failure(url)).toBe(words);
  });

  it.each([
    ['http://127.0.0.1:0/', 'The port must be from 1 to 65535'],
    ['http://127.0.0.1:65536/', 'The address is not a valid URL'],
    ['not a url', 'The address is not a valid URL'],
    ['ftp://127.0.0.1/', 'Only http:// and https:// addresses can be requested'],
    ['file:///etc/passwd', 'Only http:// and https:// addresses can be requested'],
  ])('explain what is wrong with %s', async (url, words) => {
    expect(await failure(url)).toBe(words);
  });

  it('explain that a header cannot be sent', async () => {
    expect(await failure('http://127.0.0.1:9/', { headers: { 'x-one': 'a\r\nx-two: b' } })).toBe(
      'A header contains characters that HTTP does not allow',
    );
  });
});

describe('guardedRequest over TLS', () => {
  const secure = async (certificate: { key: string; cert: string }) =>
    `https://localhost:${await listen(https.createServer(certificate, (_request, response) => response.end('secure')))}`;

  it('rejects a self-signed certificate, unless verification is off', async () => {
    const url = await secure(selfSignedCertificate);
    expect(await failure(url)).toBe('Certificate is self-signed');
    expect((await send(url, { trust: { verify: false } })).body).toBe('secure');
  });

  it('reports a port without TLS', async () => {
    const url = await web((_request, response) => response.end());
    expect(await failure(url.replace('http:', 'https:'))).toMatch(/does not support TLS|may not support TLS/);
  });
});
