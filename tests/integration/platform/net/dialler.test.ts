import http from 'node:http';
import type net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DnsServer, dnsServer } from '@/tests/support/servers/dns-server';
import { asker } from './asker';

type Net = typeof import('@/server/platform/net');

/** The dialler of a process with private targets allowed or not. */
async function dialler(allowPrivateTargets: boolean): Promise<Net> {
  vi.stubEnv('ALLOW_PRIVATE_TARGETS', String(allowPrivateTargets));
  vi.resetModules();
  return import('@/server/platform/net');
}

const servers: net.Server[] = [];
let names: DnsServer | null = null;
afterEach(async () => {
  await names?.close();
  names = null;
  for (const server of servers.splice(0)) {
    if (server instanceof http.Server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listening<T extends net.Server>(server: T, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

describe('dialler with private targets rejected', () => {
  let strict: Net;
  let port: number;
  let connections: number;
  beforeEach(async () => {
    connections = 0;
    const server = http.createServer((_request, response) => response.end('inside'));
    server.on('connection', () => (connections += 1));
    port = await listening(server, '0.0.0.0');
    strict = await dialler(false);
  });
  const get = (url: string) =>
    strict.guardedRequest({ url, method: 'GET', teamId: 'team', timeoutMs: 2_000, maxResponseBytes: 100 });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'localhost.',
  ])('never opens a connection to %s', async (host) => {
    await expect(get(`http://${host}:${port}/`)).rejects.toBeInstanceOf(strict.BlockedTargetError);
    expect(connections).toBe(0);
  });

  it.each(['127.0.0.1', 'localhost'])('connects to %s if the operator set the address', async (host) => {
    const url = `http://${host}:${port}/`;
    const request = { url, method: 'GET', teamId: 'team', timeoutMs: 5_000, maxResponseBytes: 100 };
    expect((await strict.guardedRequest({ ...request, trusted: true })).body).toBe('inside');
    await expect(strict.guardedRequest({ ...request, trusted: false })).rejects.toThrow(strict.BlockedTargetError);
  });

  it('rejects a name of this machine that resolves to a private address', async () => {
    await expect(strict.resolveTarget('localhost', asker())).rejects.toBeInstanceOf(strict.BlockedTargetError);
  });

  it('returns a public literal as its own address', async () => {
    expect(await strict.resolveTarget('8.8.8.8', asker())).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(await strict.resolveTarget('[2606:4700:4700::1111]', asker())).toEqual([
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
    await expect(strict.resolveTarget('8.8.8.8', { ...asker(), family: 6 })).rejects.toBeInstanceOf(strict.DnsError);
  });
});

/** A name with the first of `answers` at the first lookup, the second at the next, and so on; the last stays. */
async function withAnswers(answers: string[][], { allowPrivateTargets = false, ttlSeconds = 0 } = {}) {
  let turn = 0;
  names = await dnsServer((type) => (type === 'A' ? (answers[Math.min(turn++, answers.length - 1)] ?? []) : []), {
    ttlSeconds,
  });
  vi.stubEnv('DNS_SERVERS', `127.0.0.1:${names.port}`);
  return { asked: names.asked, net: await dialler(allowPrivateTargets) };
}

const outside = '93.184.216.34';
const inside = '127.0.0.1';

describe('name with mixed or changing addresses', () => {
  it('is rejected if one of its addresses is private', async () => {
    const { net: strict } = await withAnswers([[outside, inside]]);
    await expect(strict.resolveTarget('mixed.example', asker())).rejects.toBeInstanceOf(strict.BlockedTargetError);
  });

  it('is resolved once per connection, which uses the checked address', async () => {
    const { net: open, asked } = await withAnswers([[inside], [outside]], { allowPrivateTargets: true });
    const port = await listening(http.createServer((_request, response) => response.end('inside')));
    const url = `http://rebinding.example:${port}/`;
    const request = { url, method: 'GET', teamId: 'team', timeoutMs: 2_000, maxResponseBytes: 100 };
    expect((await open.guardedRequest(request)).body).toBe('inside');
    expect(asked.filter((question) => question.startsWith('A '))).toEqual(['A rebinding.example udp']);
  });

  it('is checked again for every connection', async () => {
    const { net: strict } = await withAnswers([[outside], [inside]]);
    const first = await strict.resolveTarget('rebinding.example', asker());
    expect(first).toEqual([{ address: outside, family: 4 }]);
    const url = 'http://rebinding.example/';
    const request = { url, method: 'GET', teamId: 'team', timeoutMs: 2_000, maxResponseBytes: 100 };
    await expect(strict.guardedRequest(request)).rejects.toBeInstanceOf(strict.BlockedTargetError);
  });

  it('is not resolved if it is internal', async () => {
    const { net: strict, asked } = await withAnswers([[outside]]);
    for (const name of ['intranet', 'db.internal', 'printer.local', 'nas.home.arpa'])
      await expect(strict.resolveTarget(name, asker())).rejects.toBeInstanceOf(strict.BlockedTargetError);
    expect(asked).toEqual([]);
  });
});

describe('dialler with private targets allowed', () => {
  let open: Net;
  beforeEach(async () => {
    open = await dialler(true);
  });

  it('resolves localhost by itself and connects there', async () => {
    const port = await listening(http.createServer((_request, response) => response.end('here')));
    expect((await open.resolveTarget('localhost', { ...asker(), family: 4 }))[0]).toEqual({
      address: '127.0.0.1',
      family: 4,
    });
    const options = { method: 'GET', teamId: 'team', timeoutMs: 5_000, maxResponseBytes: 100 };
    expect((await open.guardedRequest({ ...options, url: `http://localhost:${port}/` })).body).toBe('here');
  });

  it('stops waiting for a name server when aborted', async () => {
    names = await dnsServer(() => 'silence');
    vi.stubEnv('DNS_SERVERS', `127.0.0.1:${names.port}`);
    const { resolveTarget } = await dialler(true);
    const reason = new Error('stopped');
    await expect(resolveTarget('silent.example', asker(AbortSignal.abort(reason)))).rejects.toBe(reason);
    const stop = new AbortController();
    const waiting = resolveTarget('silent.example', asker(stop.signal));
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});
