import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { chunkLimit, pipeliningLimit } from '@/scripts/lib/web/flood-limits.mjs';
import { networkOf } from '@/server/platform/caller-network';
import { TokenBuckets } from '@/server/platform/token-buckets';

const isFlood = pipeliningLimit();
/** Few a minute, so that a slow machine does not refill the bucket while it reads. */
const limitChunks = chunkLimit({ TokenBuckets, networkOf }, { perMinute: 600, burst: 10_000 });

async function serve(answer: RequestListener): Promise<number> {
  const server = createServer((request, response) => {
    if (isFlood(request, response)) return;
    request.headers['x-upwatch-address'] = '192.0.2.1';
    limitChunks(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends bytes on a connection, and returns what arrives until the server closes or resets it, or has answered `count` times. */
async function exchange(port: number, text: string, count: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
  socket.write(text);
  let received = '';
  socket.on('data', (part) => {
    received += part;
    if (received.split('200 OK').length > count) socket.destroy();
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const statuses = (received: string) => received.match(/HTTP\/1\.1 \d+/g) ?? [];

it('answers requests that are sent one after another or a few at a time', async () => {
  const port = await serve((_request, response) => void response.end());
  expect(statuses(await exchange(port, GET.repeat(20), 20))).toHaveLength(20);
  const socket = connect({ port, host: '127.0.0.1' });
  for (let count = 0; count < 50; count += 1) {
    socket.write(GET);
    await once(socket, 'data');
  }
  socket.destroy();
});

it('begins at most twenty of the requests in one packet, and closes the connection', async () => {
  let begun = 0;
  const port = await serve((_request, response) => {
    begun += 1;
    setTimeout(() => response.end(), 20);
  });
  expect(await exchange(port, GET.repeat(2_000), 2_000)).toBe('');
  expect(begun).toBe(20);
});

const chunked = (body: string) => `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
const read: RequestListener = async (request, response) => {
  let size = 0;
  try {
    for await (const part of request) size += part.length;
  } catch {
    return;
  }
  response.end(`${size} bytes`);
};

it('closes the connection of a body of many tiny chunks', async () => {
  const port = await serve(read);
  expect(await exchange(port, chunked(`${'1\r\na\r\n'.repeat(20_000)}0\r\n\r\n`), 1)).toBe('');
});

it('reads a body of lines that are written one by one, and a large body', async () => {
  const other = chunkLimit({ TokenBuckets, networkOf }, { perMinute: 60_000, burst: 3_000 });
  const server = createServer((request, response) => {
    request.headers['x-upwatch-address'] = '192.0.2.2';
    other(request);
    void read(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const lines = `${'14\r\nline of twenty bytes\r\n'.repeat(2_000)}0\r\n\r\n`;
  expect(await exchange(port, chunked(lines), 1)).toContain('40000 bytes');
  const large = `${`10000\r\n${'a'.repeat(65_536)}\r\n`.repeat(16)}0\r\n\r\n`;
  expect(await exchange(port, chunked(large), 1)).toContain('1048576 bytes');
});
