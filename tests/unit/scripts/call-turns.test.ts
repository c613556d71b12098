import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTurns, isCall } from '@/scripts/lib/web/call-turns.mjs';
import { CallGate } from '@/server/api/call-gate';
import { until } from '@/tests/support/receivers';

/** A server that answers a call when its body is complete. The first segment of a path is the caller's address. */
async function served(gate = new CallGate()) {
  const inTurn = callTurns(gate);
  const server = createServer((request, response) => {
    const [, address = '', ...rest] = (request.url ?? '').split('/');
    request.url = `/${rest.join('/')}`;
    request.headers['x-upwatch-address'] = address;
    void inTurn(request, response, () => {
      request.resume().once('end', () => response.end('answered'));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Begins a call whose body never becomes complete. */
function beginSlowly(port: number, path: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n{`);
  return socket;
}

describe('isCall', () => {
  it.each(['/api/v1/monitors', '/api/trpc/live.events', '/auth/login', '/api/heartbeat/x', '/api/ready'])(
    'is true for %s',
    (path) => expect(isCall(path)).toBe(true),
  );
  it.each(['/', '/login', '/status/shop', '/_next/static/a.js'])('is false for %s', (path) =>
    expect(isCall(path)).toBe(false),
  );
});

describe('callTurns', () => {
  it('closes the connections of a network beyond its share of bodies that arrive slowly', async () => {
    const port = await served(new CallGate({ call: 10, ping: 10 }));
    const sockets = Array.from({ length: 20 }, () => beginSlowly(port, '/192.0.2.1/api/v1/monitors'));
    const closed = () => sockets.filter(({ destroyed }) => destroyed).length;
    // Six at a time become slow after a second each.
    await until(() => closed() >= 11, 15_000, 'Closed connections');
    const other = beginSlowly(port, '/192.0.2.2/api/v1/monitors');
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(other.destroyed).toBe(false);
    expect(closed()).toBe(11);
    expect(await (await fetch(`http://127.0.0.1:${port}/192.0.2.1/api/v1/monitors`)).text()).toBe('answered');
    for (const socket of [other, ...sockets]) socket.destroy();
  }, 60_000);

  it('refuses calls as the application does, and those of the dashboard in its protocol', async () => {
    const gate = new CallGate();
    const port = await served(gate);
    gate.note(
      { method: 'GET', url: '/', headers: { 'x-upwatch-address': '192.0.2.1' } },
      { exceeded: { limit: 600, seconds: 20 } },
    );
    const error = { code: 'RATE_LIMITED', status: 429, message: expect.stringMatching(/^Rate limit of 600 requests/) };
    const call = await fetch(`http://127.0.0.1:${port}/192.0.2.1/api/v1/monitors`);
    expect([call.status, call.headers.get('retry-after'), call.headers.get('access-control-allow-origin')]).toEqual([
      429,
      '20',
      '*',
    ]);
    expect(await call.json()).toEqual({ error });
    const ofDashboard = await fetch(`http://127.0.0.1:${port}/192.0.2.1/api/trpc/auth.me`);
    expect(await ofDashboard.json()).toEqual({
      error: { message: error.message, code: -32_600, data: { error } },
    });
  });
});
