import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { until } from '@/tests/support/receivers';
import { type DnsServer, dnsServer } from '@/tests/support/servers/dns-server';
import { httpTarget, type Target } from './targets';

// Loaded after the name server has started: the product reads DNS_SERVERS when it starts.

const SILENT = 100;
const HEALTHY = 10;
const INTERVAL_SECONDS = 5;
const ROUNDS = 4;

let target: Target;
let names: DnsServer;
let modules: Awaited<ReturnType<typeof load>>;
let stop: () => Promise<void> = async () => undefined;

async function load() {
  const [{ Scheduler }, { checkNow }, { db }, { newId }, { stopListening }, monitors] = await Promise.all([
    import('@/server/checks/schedule/schedule'),
    import('@/server/checks/run/check-now'),
    import('@/server/platform/db'),
    import('@/server/platform/ids'),
    import('@/server/platform/listen'),
    import('./monitors'),
  ]);
  return { Scheduler, checkNow, db, newId, stopListening, ...monitors };
}

beforeAll(async () => {
  target = await httpTarget((_request, response) => response.writeHead(200).end());
  names = await dnsServer((type, name) => {
    if (name.startsWith('silent')) return 'silence';
    return type === 'A' && name.startsWith('healthy') ? ['127.0.0.1'] : [];
  });
  vi.stubEnv('DNS_SERVERS', `127.0.0.1:${names.port}`);
  vi.resetModules();
  modules = await load();
});

beforeEach(() => {
  names.asked.length = 0;
});

afterEach(async () => {
  await stop();
  await modules.db.team.deleteMany();
});

afterAll(async () => {
  await modules.stopListening();
  await Promise.all([names.close(), target.close()]);
});

function start(): void {
  const { Scheduler, newId } = modules;
  const scheduler = new Scheduler({ worker: newId(), region: 'test', concurrency: 200 });
  stop = () => scheduler.stop(500);
  scheduler.start();
}

const many = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({
    url: `http://${prefix}-${index}.example.test:${target.port}/`,
    intervalSeconds: INTERVAL_SECONDS,
    config: { confirm: { failures: 2, retryDelayMs: 500 } },
  }));

describe('100 names of one team without an answer', () => {
  it('leave the monitors of another team up and on time', { timeout: 90_000 }, async () => {
    const { db, makeMonitors, makeTeam } = modules;
    const [noisy, quiet] = [await makeTeam(), await makeTeam()];
    await makeMonitors(noisy, many(SILENT, 'silent'));
    start();
    await until(async () => names.asked.some((asked) => asked.includes('silent')), 10_000, 'The first silent question');
    const healthy = await makeMonitors(quiet, many(HEALTHY, 'healthy'));
    const nums = healthy.map(({ num }) => num);
    const checks = () => db.check.findMany({ where: { monitorNum: { in: nums } }, orderBy: { at: 'asc' } });
    const due = HEALTHY * ROUNDS;
    await until(async () => (await checks()).length >= due, 60_000, `${due} checks of the quiet team`);

    const seen = await checks();
    expect([...new Set(seen.map(({ status, error }) => `${status} ${error}`))]).toEqual(['up null']);
    expect(await db.incident.count({ where: { teamId: quiet } })).toBe(0);
    for (const num of nums) {
      // From the second check on: the first one of a new monitor runs at once, regardless of fairness.
      const at = seen.filter(({ monitorNum }) => monitorNum === num).map((check) => check.at.getTime());
      const gaps = at.slice(2).map((time, index) => time - (at[index + 1] ?? 0));
      expect(Math.max(...gaps)).toBeLessThan(2 * INTERVAL_SECONDS * 1_000);
    }
    // The noise was real: these monitors are down, each because of its own name.
    const down = await db.incident.findMany({ where: { teamId: noisy } });
    expect(down.length).toBeGreaterThan(0);
    expect([...new Set(down.map(({ cause }) => cause))]).toEqual(['The name server did not respond']);
  });
});
