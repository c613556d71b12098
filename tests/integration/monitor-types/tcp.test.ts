import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { observe } from '@/server/monitor-types/probes';
import { TcpConfig } from '@/server/monitor-types/schema';
import { asTeam, closedPort, type Target, tcpTarget } from '@/tests/integration/checks/targets';

const open: Target[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function serve(greet: (socket: Socket) => void, options: { secure?: boolean } = {}): Promise<number> {
  const target = await tcpTarget(greet, options);
  open.push(target);
  return target.port;
}

const check = (port: number, changes: Record<string, unknown> = {}) =>
  observe(
    { type: 'tcp', config: TcpConfig.parse({ host: '127.0.0.1', port, timeoutMs: 1_000, ...changes }) },
    asTeam(),
  );

/** Answers PING with PONG, one byte at a time. */
function pong(socket: Socket): void {
  socket.on('data', (data) => {
    if (data.toString() !== 'PING\r\n') return;
    for (const byte of '+PONG\r\n') setTimeout(() => socket.write(byte), 5);
  });
}

describe('tcp probe', () => {
  it('is up if the connection opens', async () => {
    const seen = await check(await serve(() => undefined));
    expect(seen).toMatchObject({ outcome: 'ok', error: null, family: 4, evidence: null });
    expect(seen.timings.connectMs).toBeGreaterThan(0);
    expect(seen.timings.firstByteMs).toBeNull();
  });

  it('is down on a closed port', async () => {
    expect(await check(await closedPort())).toMatchObject({ outcome: 'failed', error: 'Connection refused' });
  });

  it('sends, and waits until the expected text has arrived in fragments', async () => {
    const seen = await check(await serve(pong), { send: 'PING\r\n', expect: 'PONG' });
    expect(seen).toMatchObject({ outcome: 'ok', error: null });
    expect(seen.timings.firstByteMs).toBeGreaterThan(0);
  });

  it('reads a greeting', async () => {
    const port = await serve((socket) => void socket.write('220 mail.test ESMTP\r\n'));
    expect(await check(port, { expect: '220 ' })).toMatchObject({ outcome: 'ok' });
  });

  it('sends without expecting a response', async () => {
    let received = '';
    const port = await serve((socket) => void socket.on('data', (data) => (received += data.toString())));
    expect(await check(port, { send: 'hello' })).toMatchObject({ outcome: 'ok' });
    await expect.poll(() => received).toBe('hello');
  });

  it('reports the response if it does not match', async () => {
    const port = await serve((socket) => void socket.end('-ERR no\r\n'));
    expect(await check(port, { send: 'PING\r\n', expect: 'PONG' })).toMatchObject({
      outcome: 'failed',
      error: 'Expected "PONG", got "-ERR no\\r\\n" before the connection was closed',
    });
    const silent = await serve((socket) => void socket.end());
    expect(await check(silent, { expect: 'PONG' })).toMatchObject({
      error: 'Expected "PONG", got nothing before the connection was closed',
    });
  });

  it('respects its timeout if nothing or no match arrives', async () => {
    const silent = await check(await serve(() => undefined), { expect: 'PONG', timeoutMs: 200 });
    expect(silent).toMatchObject({ outcome: 'failed', error: 'No response within 0.2 s' });
    const dripping = await serve((socket) => {
      const timer = setInterval(() => socket.write('.'), 10);
      socket.once('close', () => clearInterval(timer));
    });
    const seen = await check(dripping, { expect: 'PONG', timeoutMs: 200 });
    expect(seen).toMatchObject({ outcome: 'failed', error: 'The response did not end within 0.2 s' });
  });

  it('limits the data that it searches', async () => {
    const flood = await serve((socket) => void socket.write(Buffer.alloc(1024 * 1024, '.')));
    const seen = await check(flood, { expect: 'PONG' });
    expect(seen).toMatchObject({ outcome: 'failed', error: expect.stringContaining('64 KiB') });
  });

  it('fails if the connection is reset', async () => {
    const port = await serve((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    expect(await check(port, { send: 'PING', expect: 'PONG' })).toMatchObject({ outcome: 'failed' });
  });

  it('verifies the TLS certificate', async () => {
    const port = await serve(pong, { secure: true });
    const seen = await check(port, { host: 'localhost', tls: true });
    expect(seen).toMatchObject({ outcome: 'failed', error: 'Certificate is self-signed' });
    expect(seen.certificate).toMatchObject({ subject: 'localhost' });
  });

  it('respects its timeout in an endless TLS handshake', async () => {
    const seen = await check(await serve(() => undefined), { tls: true, timeoutMs: 200 });
    expect(seen).toMatchObject({ outcome: 'failed', error: 'No response within 0.2 s' });
  });
});
