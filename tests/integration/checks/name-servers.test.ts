import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DnsConfig, HttpConfig } from '@/server/monitor-types/schema';
import { until } from '@/tests/support/receivers';
import { type DnsServer, dnsServer, type Reply } from '@/tests/support/servers/dns-server';
import { asTeam } from './targets';

// Loaded after the name server has started: the product reads DNS_SERVERS when it starts.

let names: DnsServer;
let port: number;
let modules: Awaited<ReturnType<typeof load>>;
let zone: (type: string, name: string) => Reply;
let stop: () => Promise<void> = async () => undefined;
const servers = new Map<string, Server>();

async function load() {
  const [{ Scheduler }, { checkNow }, { observe }, { db }, { newId }, { stopListening }, monitors] = await Promise.all([
    import('@/server/checks/schedule/schedule'),
    import('@/server/checks/run/check-now'),
    import('@/server/monitor-types/probes'),
    import('@/server/platform/db'),
    import('@/server/platform/ids'),
    import('@/server/platform/listen'),
    import('./monitors'),
  ]);
  return { Scheduler, checkNow, observe, db, newId, stopListening, ...monitors };
}

/** A web server at an address of this machine, at the same port on each address. */
async function serveAt(address: string): Promise<void> {
  const server = createServer((_request, response) => response.end('here'));
  server.listen(port ?? 0, address);
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  servers.set(address, server);
}

async function leave(address: string): Promise<void> {
  const server = servers.get(address);
  servers.delete(address);
  server?.closeAllConnections();
  server?.close();
  if (server) await once(server, 'close');
}

beforeAll(async () => {
  names = await dnsServer((type, name) => zone(type, name), { ttlSeconds: 3_600 });
  vi.stubEnv('DNS_SERVERS', `127.0.0.1:${names.port}`);
  vi.resetModules();
  modules = await load();
});

beforeEach(async () => {
  zone = (type, name) => (name.startsWith('silent') ? 'silence' : type === 'A' ? ['127.0.0.1'] : []);
  await serveAt('127.0.0.1');
});

afterEach(async () => {
  await stop();
  stop = async () => undefined;
  for (const address of [...servers.keys()]) await leave(address);
  await modules.db.team.deleteMany();
});

afterAll(async () => {
  await modules.stopListening();
  await names.close();
});

const later = () => new Promise((resolve) => setTimeout(resolve, 1_100));

/** Results of checks by name, with a type that connects and one that only queries. */
async function see(name: string, timeoutMs = 800) {
  const { observe } = modules;
  const http = HttpConfig.parse({ url: `http://${name}:${port}/`, timeoutMs });
  const dns = DnsConfig.parse({ host: name, recordType: 'A', timeoutMs });
  return Promise.all([
    observe({ type: 'http', config: http }, { ...asTeam(), fresh: true }),
    observe({ type: 'dns', config: dns }, asTeam()),
  ]);
}

describe('name without an answer from the name servers', () => {
  it('counts against its owner while the servers answer others', async () => {
    const [http, dns] = await see('silent.example.test');
    expect(http).toMatchObject({ outcome: 'failed', error: 'The name server did not respond' });
    expect(dns).toMatchObject({
      outcome: 'failed',
      error: 'The name servers of this machine did not answer for silent.example.test within 0.8 s',
    });
  });

  it('limits no team while the servers answer no queries', async () => {
    await see('www.example.test');
    zone = () => 'silence';
    await later();
    for (const seen of await see('www.example.test')) {
      expect(seen).toMatchObject({
        outcome: 'unknown',
        error: 'The name servers of Upwatch do not respond, so the status of the target is unknown',
      });
    }
  });
});

describe('cached DNS answer', () => {
  it('does not hide a failover: the confirming check queries again', { timeout: 60_000 }, async () => {
    const { db, makeMonitor, makeTeam, makeDue, readState, Scheduler, newId } = modules;
    await serveAt('127.0.0.2');
    zone = (type) => (type === 'A' ? ['127.0.0.2'] : []);
    const teamId = await makeTeam();
    const monitor = await makeMonitor(teamId, {
      url: `http://moving.example.test:${port}/`,
      config: { confirm: { retryDelayMs: 300 } },
    });
    const scheduler = new Scheduler({ worker: newId(), region: 'test', concurrency: 10 });
    stop = () => scheduler.stop(500);
    scheduler.start();
    const status = async () => (await readState(monitor.id)).status;
    await until(async () => (await status()) === 'up', 10_000, 'The first check');
    // The address changes, so cached answers are outdated.
    zone = (type) => (type === 'A' ? ['127.0.0.1'] : []);
    await leave('127.0.0.2');
    await makeDue(monitor.id);
    const checks = () => db.check.findMany({ where: { monitorNum: monitor.num }, orderBy: { at: 'asc' } });
    await until(async () => (await checks()).length >= 3, 20_000, 'The recheck');
    expect((await checks()).map((check) => check.status).slice(0, 3)).toEqual(['up', 'down', 'up']);
    expect(await db.incident.count({ where: { teamId } })).toBe(0);
  });
});

describe('100 manual checks of names without an answer', () => {
  it('leave those of another team up', { timeout: 60_000 }, async () => {
    const { checkNow, makeMonitors, makeTeam } = modules;
    const url = (prefix: string, index: number) => ({
      url: `http://${prefix}-${index}.example.test:${port}/`,
      config: { timeoutMs: 2_000 },
    });
    const noise = await makeMonitors(
      await makeTeam(),
      Array.from({ length: 100 }, (_, index) => url('silent', index)),
    );
    const quiet = await makeMonitors(
      await makeTeam(),
      Array.from({ length: 10 }, (_, index) => url('healthy', index)),
    );
    const judged = { canaries: [] };
    const noisy = Promise.all(noise.map((monitor) => checkNow(monitor, judged)));
    await until(() => names.asked.some((asked) => asked.includes('silent-')), 10_000, 'The first silent question');
    const seen = await Promise.all(quiet.map((monitor) => checkNow(monitor, judged)));
    expect([...new Set(seen.map(({ status, error }) => `${status} ${error}`))]).toEqual(['up null']);
    expect((await noisy).every(({ status }) => status === 'down')).toBe(true);
  });
});
