import '@/tests/support/default-limits';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { heartbeat, pingLimit } from '@/server/api/heartbeat';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { inNightly } from '@/tests/support/nightly';
import { makeKey, rest, signUp } from '@/tests/support/rest';

// Modules of its own: it counts what the limit of pings remembers.

const CALLERS = inNightly(40_000, 4_000);
const AT_ONCE = 40;
/** Counters of networks, of IPv4 and of IPv6 each. */
const MOST_COUNTERS = 16_384;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Each caller from another network: half of them IPv4, half IPv6. */
function addressOf(caller: number): string {
  const [high, low] = [caller >> 8, caller & 255];
  return caller % 2 === 0 ? `${10 + (high >> 8)}.${high & 255}.${low}.1` : `2001:${caller.toString(16)}::1`;
}

function ping(token: string, address: string): Promise<Response> {
  const headers = { 'x-upwatch-address': address };
  return heartbeat(new Request(`http://127.0.0.1:3000/api/heartbeat/${token}`, { headers }));
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const run = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}

describe('values chosen by anonymous clients', () => {
  it(`leave memory and rows bounded after ${CALLERS.toLocaleString('en')} tokens from as many networks`, async () => {
    await ping('warm-up-of-this-test', '192.0.2.1');
    const before = heapMegabytes();
    const statuses = new Map<number, number>();
    await inParallel(CALLERS, async (caller) => {
      // Most are too long for a token, as in an attack on memory; the others are looked up.
      const token = caller % 4 === 0 ? `token-of-nobody-${caller}` : `${caller}-${'x'.repeat(4_000)}`;
      const { status } = await ping(token, addressOf(caller));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    expect([...statuses]).toEqual([[404, CALLERS]]);
    expect(pingLimit.size).toBe(0);
    const rows = await db.kvEntry.findMany({ where: { key: { startsWith: 'rate:' } } });
    expect(rows.length).toBeGreaterThan(0);
    for (const { key } of rows) {
      const [counter = '', number] = /:[46]:(\d+)$/.exec(key) ?? [];
      expect(counter, key).not.toBe('');
      expect(Number(number)).toBeLessThan(MOST_COUNTERS);
    }
    expect(heapMegabytes() - before).toBeLessThan(40);
  }, 300_000);

  it('rejects values from a site over its limit, while heartbeats continue', async () => {
    const { body } = await rest('POST', '/api/v1/monitors', {
      token: await makeKey(await signUp()),
      body: { type: 'heartbeat', name: 'Nightly', config: {}, intervalSeconds: 3600 },
    });
    const token = new URL(body.monitor.config.pingUrl).pathname.split('/')[3] ?? '';
    // Addresses of one IPv4 /24 or one IPv6 /48 are counted together.
    const statuses: number[] = [];
    await inParallel(700, async (index) => {
      const address = index % 2 === 0 ? `198.51.100.${index % 256}` : `2001:db8:7:${(index % 256).toString(16)}::1`;
      statuses.push((await ping(`guess-${index}-${newId()}`, address)).status);
    });
    expect(new Set(statuses)).toEqual(new Set([404]));
    const more: number[] = [];
    await inParallel(700, async (index) => {
      more.push((await ping(`guess-${index}-${newId()}`, `198.51.100.${index % 256}`)).status);
    });
    expect(more).toContain(429);
    expect((await ping(token, '198.51.100.9')).status).toBe(200);
    expect(pingLimit.size).toBe(1);
  }, 60_000);

  it('counts sign-ins in a fixed number of rows, whatever values clients choose', async () => {
    await inParallel(30, (index) =>
      rest('POST', '/auth/login', {
        body: { email: `nobody-${newId()}@example.test`, password: 'wrong password' },
        headers: { 'x-upwatch-address': addressOf(index * 2) },
      }),
    );
    const rows = await db.kvEntry.findMany({ where: { key: { startsWith: 'auth:' } } });
    const own = rows.filter(({ key }) => !key.includes('familiar'));
    expect(own.length).toBeGreaterThan(30);
    for (const { key } of own) expect(key).toMatch(/^auth:(address:[46]|no-account):\d{1,5}$/);
  }, 60_000);

  it('leave no row for a rejected request with an idempotency key', async () => {
    const headers = { 'idempotency-key': newId(), 'x-upwatch-address': '203.0.113.200' };
    const { status } = await rest('POST', '/auth/signup', { body: { email: 'no address' }, headers });
    expect(status).toBe(400);
    expect(await db.idempotentRequest.count()).toBe(0);
  });
});
