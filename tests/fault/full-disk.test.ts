import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDataDir, type Product, startProduct } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';

// The built product with its embedded database on a small disk (tmpfs), which is full for most of a minute: first statements that need space fail, then
// the server itself ends, because it has no room for its write-ahead log.

const MONITORS = 12;
const FAILING = 4;
const INTERVAL_MS = 5_000;
const PATIENCE_MS = 90_000;
const SIZE = '400m';

function mount(folder: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', folder]).status === 0;
}

const folder = await newDataDir();
// Skipped where mounting is not allowed, as for users other than root.
const isMounted = mount(folder);

let product: Product;
let target: HttpReceiver;
let receiver: HttpReceiver;
let token = '';
let filledAt: Date;
let freedAt: Date;
/** The responses of `/api/ready` while the disk was full. */
const readiness: { status: number; message: string }[] = [];

async function call(path: string, body: object): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(product.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}

async function query<T extends object>(sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: product.childEnv.DATABASE_URL ?? '' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const tryQuery = (sql: string) => query(sql).catch(() => []);

const FILLER = join(folder, 'filler');

/** Writes a file that takes all space. */
function fill(): void {
  const file = openSync(FILLER, 'a');
  for (let size = 1024 * 1024; size >= 4096; ) {
    try {
      if (writeSync(file, Buffer.alloc(size)) < size) size /= 2;
    } catch {
      size /= 2;
    }
  }
  closeSync(file);
}

async function ready(): Promise<{ status: number; message: string }> {
  try {
    const response = await fetch(`${product.url}/api/ready`, { signal: AbortSignal.timeout(15_000) });
    const { error } = (await response.json()) as { error?: { message: string } };
    return { status: response.status, message: error?.message ?? '' };
  } catch (error) {
    return { status: 0, message: String(error) };
  }
}

const requestsSince = (since: Date, path: string) =>
  target.requests.filter((each) => each.path === path && each.at > since && each.at < freedAt);

const failing = (path: string) => Number(path.slice(1)) < FAILING;

if (isMounted) {
  beforeAll(async () => {
    [target, receiver] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
    const settings = {
      ALLOW_PRIVATE_TARGETS: 'true',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_FORMAT: 'json',
      EGRESS_CANARIES: '',
    };
    product = await startProduct({ env: { ...settings, DATA_DIR: folder } });
    token =
      (await call('/auth/signup', { email: 'disk@example.test', password: 'nine unlikely words in a row' }))
        .accessToken ?? '';
    token = (await call('/dashboard/api-keys', { name: 'disk', scopes: ['read', 'write'] })).secret ?? '';
    await call('/api/v1/channels', { type: 'webhook', name: 'Receiver', config: { url: `${receiver.url}/hook` } });
    for (let index = 0; index < MONITORS; index += 1) {
      const config = { url: `${target.url}/${index}`, confirm: { failures: 2, recoveries: 1, retryDelayMs: 1_000 } };
      await call('/api/v1/monitors', {
        type: 'http',
        name: `Monitor ${index}`,
        intervalSeconds: INTERVAL_MS / 1_000,
        config,
      });
    }
    const areUp = `select count(*)::int as count from monitor_states where status = 'up'`;
    await until(
      async () => (await query<{ count: number }>(areUp))[0]?.count === MONITORS,
      PATIENCE_MS,
      'Every monitor being up',
    );

    fill();
    filledAt = new Date();
    target.respond(({ path }) => ({ status: failing(path) ? 503 : 200 }));
    await tryQuery('create table filler as select n, repeat(n::text, 100) from generate_series(1, 100000) as n');
    await sleep(15_000);
    readiness.push(await ready());
    // The next segment of the write-ahead log finds no space.
    for (let times = 0; times < 3; times += 1) await tryQuery('select pg_switch_wal()');
    await tryQuery(`select pg_logical_emit_message(true, 'filler', repeat('x', 20000000))`);
    await sleep(20_000);
    readiness.push(await ready());
    freedAt = new Date();
    rmSync(FILLER);
    await until(async () => (await ready()).status === 200, PATIENCE_MS, 'Readiness');
    await receiver.waitFor(FAILING, PATIENCE_MS);
    await sleep(2 * INTERVAL_MS);
  }, 400_000);
}

afterAll(async () => {
  rmSync(FILLER, { force: true });
  // Its data directory is a mount, which cannot be removed.
  await product?.stop().catch(() => undefined);
  await Promise.all([target?.close(), receiver?.close()]);
  if (isMounted) spawnSync('umount', ['-l', folder]);
  await rmdir(folder).catch(() => undefined);
});

describe.skipIf(!isMounted)('a full disk', () => {
  it('is the reason that /api/ready answers with 503', () => {
    const full = { status: 503, message: 'The disk of the database is full. Try again later.' };
    expect(readiness).toEqual([full, full]);
  });

  it('stops no check', () => {
    const counts = Array.from({ length: MONITORS }, (_, index) => requestsSince(filledAt, `/${index}`).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(4);
    const late = new Date(freedAt.getTime() - 2.5 * INTERVAL_MS);
    const lately = Array.from({ length: MONITORS }, (_, index) => requestsSince(late, `/${index}`).length);
    expect(Math.min(...lately)).toBeGreaterThanOrEqual(1);
  });

  it('delays alerts until there is space, and loses none', async () => {
    const incidents = await query<{ name: string; type: string }>(
      `select m.name, i.type::text from incidents i join monitors m on m.id = i.monitor_id order by m.num`,
    );
    expect(incidents).toEqual(
      Array.from({ length: FAILING }, (_, index) => ({ name: `Monitor ${index}`, type: 'downtime' })),
    );
    const deliveries = await query<{ status: string }>('select distinct status::text from deliveries');
    expect(deliveries).toEqual([{ status: 'delivered' }]);
    const ids = receiver.requests.map(
      ({ body }) => (JSON.parse(body) as { data: { incident: { id: string } } }).data.incident.id,
    );
    expect(new Set(ids).size).toBe(FAILING);
  });

  it('keeps the results of the checks that were made meanwhile', async () => {
    const rows = await query<{ name: string; count: number }>(
      `select m.name, count(*)::int as count from checks c join monitors m on m.num = c.monitor_num
       where c.at between '${filledAt.toISOString()}' and '${freedAt.toISOString()}' group by m.name`,
    );
    const counts = new Map(rows.map(({ name, count }) => [name, count]));
    for (let index = 0; index < MONITORS; index += 1) {
      const made = requestsSince(filledAt, `/${index}`).length;
      expect(counts.get(`Monitor ${index}`) ?? 0).toBeGreaterThanOrEqual(made - 2);
    }
  });

  it('is one error in the log of each process', () => {
    const lines = product.logs().split('\n');
    const errors = lines.filter((line) => line.includes('There is no space left for the database'));
    expect(errors.length).toBeGreaterThanOrEqual(1);
    expect(errors.length).toBeLessThanOrEqual(4);
    expect(lines.length).toBeLessThan(1_000);
  });
});
