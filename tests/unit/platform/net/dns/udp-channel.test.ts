import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UdpChannel } from '@/server/platform/net/dns/udp-channel';

let server: Socket;

beforeEach(async () => {
  server = createSocket('udp4').bind(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.close();
});

/** Sends one query, waits for its answer, and returns where it came from. */
async function query(): Promise<RemoteInfo> {
  const channel = UdpChannel.take({ address: '127.0.0.1', port: server.address().port });
  const asked = once(server, 'message') as Promise<[Buffer, RemoteInfo]>;
  const answered = new Promise<void>((onMessage, onError) => {
    channel.send(Buffer.from('query'), { onMessage: () => onMessage(), onError });
  });
  const [, from] = await asked;
  server.send('answer', from.port, from.address);
  await answered;
  channel.release();
  return from;
}

/** Sends datagrams that no query waits for, and waits until they were read. */
async function sendUnasked(count: number, { port, address }: RemoteInfo): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    await new Promise((resolve) => server.send('unasked', port, address, resolve));
  }
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
}

it('uses a channel again after a second answer', async () => {
  const first = await query();
  await sendUnasked(1, first);
  expect((await query()).port).toBe(first.port);
});

it('closes an idle channel that receives more datagrams than it sent queries', async () => {
  const first = await query();
  await sendUnasked(20, first);
  expect((await query()).port).not.toBe(first.port);
});
