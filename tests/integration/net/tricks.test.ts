import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { definitions, type HttpConfig } from '@/server/monitor-types/schema';
import type { Message } from '@/server/notifications/messages/message';
import { type DnsServer, dnsServer } from '@/tests/support/servers/dns-server';
import { asTeam } from '../checks/targets';
import { ADDRESSES, HOSTS, NAMES } from './tricks';

// Servers that no check or webhook may reach listen on 127.0.0.1 and ::1. One other address of this machine counts as
// public here, because redirects and changing names need a public target. A local name server answers all queries.

const OUTSIDE = '127.0.0.2';
const REFUSED =
  /private or reserved|not a valid host name|not a valid URL|Only http:|did not resolve|from 1 to 65535|which is no address|which is not an http/;

const inside: Server[] = [];
let outside: Server;
let port: number;
let reached: string[] = [];
let redirectTo = '';
let visits = 0;
let names: DnsServer;
let asked = new Map<string, number>();
let observeHttp: typeof import('@/server/monitor-types/http/probe').observeHttp;
let send: typeof import('@/server/notifications/providers').send;

async function listen(server: Server, host: string, wanted: number): Promise<number> {
  server.listen(wanted, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The zone's answer to the n-th query for a name and a type. */
function answer(type: string, name: string): string[] | number {
  const turns = NAMES[name]?.[type as 'A' | 'AAAA'];
  if (!turns) return NAMES[name] ? [] : 3;
  const turn = asked.get(`${type} ${name}`) ?? 0;
  asked.set(`${type} ${name}`, turn + 1);
  const records = turns[Math.min(turn, turns.length - 1)] ?? [];
  return records.map((record) => (record === 'OUTSIDE' ? OUTSIDE : record));
}

beforeAll(async () => {
  const accept = (host: string) => createServer((socket) => socket.destroy(void reached.push(host) as undefined));
  const loopback = accept('127.0.0.1');
  port = await listen(loopback, '127.0.0.1', 0);
  inside.push(loopback);
  const loopback6 = accept('::1');
  // A machine without IPv6 cannot reach it anyway.
  await listen(loopback6, '::1', port).then(
    () => inside.push(loopback6),
    () => undefined,
  );
  outside = createServer((socket) => {
    visits += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const head = redirectTo ? `302 Found\r\nlocation: ${redirectTo}` : '200 OK';
      socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    });
  });
  await listen(outside, OUTSIDE, port);
  // Records with TTL 0 are queried again the next time.
  names = await dnsServer(answer, { ttlSeconds: 0 });
  vi.stubEnv('ALLOW_PRIVATE_TARGETS', 'false');
  vi.stubEnv('DNS_SERVERS', `127.0.0.1:${names.port}`);
  vi.resetModules();
  vi.doMock('@/server/platform/net/address', async (original) => {
    const { isPublicAddress } = await original<typeof import('@/server/platform/net/address')>();
    return { isPublicAddress: (address: string) => address === OUTSIDE || isPublicAddress(address) };
  });
  ({ observeHttp } = await import('@/server/monitor-types/http/probe'));
  ({ send } = await import('@/server/notifications/providers'));
});

afterAll(async () => {
  vi.doUnmock('@/server/platform/net/address');
  await names.close();
  for (const server of [...inside, outside]) {
    server.close();
    await once(server, 'close');
  }
});

beforeEach(() => {
  reached = [];
  redirectTo = '';
  visits = 0;
  asked = new Map();
});

const aimed = (address: string) => address.replaceAll('PORT', String(port));
const direct = [
  ...Object.values(HOSTS)
    .flat()
    .map((host) => `http://${host}:PORT/`),
  ...ADDRESSES,
];
const named = Object.keys(NAMES).map((name) => `http://${name}:PORT/`);
/** Excludes what a redirect reads as a relative path, and what no header can contain. */
const redirects = direct
  .filter((trick) => trick !== 'http:127.0.0.1:PORT/')
  .map((trick) => trick.replace(/[\n\t]/g, ''));
const refusedNames = named.filter((address) => !address.includes('rebinding'));

/** A check that bypasses the form's validation, so that only the dialler can block it. */
async function check(url: string): Promise<string> {
  const config: HttpConfig = {
    ...definitions.http.schema.parse({ url: 'http://example.test/', timeoutMs: 2_000 }),
    url,
  };
  const seen = await observeHttp(config, asTeam()).catch((error: Error) => ({
    outcome: 'failed',
    error: error.message,
  }));
  return seen.outcome === 'ok' ? 'ok' : (seen.error ?? '');
}

/** A webhook that bypasses the form's validation. */
async function sendWebhook(url: string): Promise<string> {
  const message: Message = {
    id: 'delivery',
    payload: { type: 'channel.test', timestamp: '2026-11-20T03:07:12.000Z', data: { incident: null, monitor: null } },
    tone: 'neutral',
    headline: 'Test',
    details: [],
    url: 'http://example.test/',
  };
  const result = await send(
    'webhook',
    message,
    { url, secret: 'secret' },
    { teamId: 'team', signal: AbortSignal.timeout(5_000) },
  );
  return result.ok ? 'ok' : result.error;
}

describe.each([
  ['a check', check],
  ['a webhook', sendWebhook],
])('%s', (kind, attempt) => {
  it.each([...direct, ...refusedNames])('is not tricked by %j', async (trick) => {
    expect(await attempt(aimed(trick))).toMatch(REFUSED);
    expect(reached).toEqual([]);
  });

  it('connects to the checked address, even if the name resolves differently a moment later', async () => {
    const url = aimed('http://rebinding.example.test:PORT/');
    expect(await attempt(url)).toBe('ok');
    expect(visits).toBe(1);
    // The name is resolved and verified again for the next request.
    expect(await attempt(url)).toMatch(REFUSED);
    expect(reached).toEqual([]);
  });

  it.each([...redirects, ...named])('is not redirected to %j', async (trick) => {
    // The changing name has resolved to a public address once.
    asked.set('A rebinding.example.test', 1);
    redirectTo = aimed(trick);
    const outcome = await attempt(`http://${OUTSIDE}:${port}/`);
    expect(outcome).toMatch(kind === 'a check' ? REFUSED : /answered 302/);
    expect(reached).toEqual([]);
    expect(visits).toBe(1);
  });
});

it('tests at least 60 different tricks, directly and by a redirect', () => {
  expect(new Set([...direct, ...named]).size).toBeGreaterThanOrEqual(60);
  expect(new Set([...direct, ...named]).size).toBe(direct.length + named.length);
});
