import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

type Net = typeof import('@/server/platform/net');

/** The dialler of a process that allows private targets, or does not. */
async function dialler(allowPrivateTargets: boolean): Promise<Net> {
  vi.stubEnv('ALLOW_PRIVATE_TARGETS', String(allowPrivateTargets));
  vi.resetModules();
  return import('@/server/platform/net');
}

const servers: net.Server[] = [];
afterEach(async () => {
  vi.doUnmock('node:dns/promises');
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

describe('where private targets are refused', () => {
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
  const get = (url: string) => strict.guardedRequest({ url, method: 'GET', timeoutMs: 2_000, maxResponseBytes: 100 });

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

  it.each(['127.0.0.1', 'localhost'])('connects to %s where the operator set the address', async (host) => {
    const url = `http://${host}:${port}/`;
    const request = { url, method: 'GET', timeoutMs: 5_000, maxResponseBytes: 100 };
    expect((await strict.guardedRequest({ ...request, trusted: true })).body).toBe('inside');
    await expect(strict.guardedRequest({ ...request, trusted: false })).rejects.toThrow(strict.BlockedTargetError);
  });

  it('refuses a name of this machine that resolves to a private address', async () => {
    await expect(strict.resolveTarget('localhost')).rejects.toBeInstanceOf(strict.BlockedTargetError);
    const error = await new Promise((resolve) => {
      net
        .connect({ host: 'localhost', port, lookup: strict.guardedLookup })
        .on('error', resolve)
        .on('connect', resolve);
    });
    expect(error).toBeInstanceOf(strict.BlockedTargetError);
    expect(connections).toBe(0);
  });

  it('gives a public literal back as its own address', async () => {
    expect(await strict.resolveTarget('8.8.8.8')).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(await strict.resolveTarget('[2606:4700:4700::1111]')).toEqual([
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
    await expect(strict.resolveTarget('8.8.8.8', { family: 6 })).rejects.toBeInstanceOf(strict.DnsError);
  });
});

/** A name server whose answers change, which no machine's own resolver can be made to do. */
async function withAnswers(answers: { address: string; family: number }[][], allowPrivateTargets = false) {
  const asked: string[] = [];
  vi.doMock('node:dns/promises', () => ({
    lookup: async (name: string) => {
      asked.push(name);
      return answers[Math.min(asked.length, answers.length) - 1];
    },
  }));
  return { asked, net: await dialler(allowPrivateTargets) };
}

const outside = { address: '93.184.216.34', family: 4 };
const inside = { address: '127.0.0.1', family: 4 };

describe('a name whose addresses are mixed or change', () => {
  it('is refused where one of its addresses is private', async () => {
    const { net: strict } = await withAnswers([[outside, inside]]);
    await expect(strict.resolveTarget('mixed.example')).rejects.toBeInstanceOf(strict.BlockedTargetError);
  });

  it('is looked up once for a connection, which goes to the address that was checked', async () => {
    const { net: open, asked } = await withAnswers([[inside], [outside]], true);
    const server = net.createServer();
    const port = await listening(server, '0.0.0.0');
    const reached = new Promise((resolve) => {
      server.on('connection', (socket) => resolve(socket.localAddress));
    });
    const socket = net.connect({ ...open.guardedConnection, host: 'rebinding.example', port });
    expect(await reached).toBe(inside.address);
    expect(asked).toEqual(['rebinding.example']);
    socket.destroy();
  });

  it('is checked again for every connection', async () => {
    const { net: strict } = await withAnswers([[outside], [inside]]);
    await expect(strict.resolveTarget('rebinding.example')).resolves.toEqual([outside]);
    const request = { url: 'http://rebinding.example/', method: 'GET', timeoutMs: 2_000, maxResponseBytes: 100 };
    await expect(strict.guardedRequest(request)).rejects.toBeInstanceOf(strict.BlockedTargetError);
  });
});

describe('where private targets are allowed', () => {
  let open: Net;
  beforeEach(async () => {
    open = await dialler(true);
  });

  it('resolves localhost through the system resolver and connects there', async () => {
    const port = await listening(http.createServer((_request, response) => response.end('here')));
    expect((await open.resolveTarget('localhost', { family: 4 }))[0]).toEqual({ address: '127.0.0.1', family: 4 });
    const options = { method: 'GET', timeoutMs: 5_000, maxResponseBytes: 100 };
    expect((await open.guardedRequest({ ...options, url: `http://localhost:${port}/` })).body).toBe('here');
  });

  it('says when a name does not resolve', async () => {
    const error = await open.resolveTarget('nothing.invalid').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(open.DnsError);
    expect(['The address did not resolve', 'The name server did not answer']).toContain((error as Error).message);
  });

  it('stops waiting for a resolver when told to', async () => {
    const reason = new Error('stopped');
    await expect(open.resolveTarget('localhost', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const stop = new AbortController();
    const waiting = open.resolveTarget('localhost', { signal: stop.signal });
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});
