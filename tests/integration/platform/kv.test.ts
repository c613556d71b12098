import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import type { KeyValue } from '@/server/platform/kv/key-value';
import { StoreAwayError } from '@/server/platform/kv/outage';
import { PostgresKeyValue } from '@/server/platform/kv/postgres';
import { UpstashKeyValue } from '@/server/platform/kv/upstash';
import { type RedisRest, startRedisRest } from '@/tests/support/providers/redis-rest';
import { startLine } from '@/tests/support/servers/line';

const WITHOUT_REDIS = 'needs redis-server on this machine, or REDIS_URL';

let redis: RedisRest;
beforeAll(async () => {
  redis = await startRedisRest();
});
afterAll(() => redis.close());

const implementations: Record<string, () => KeyValue> = {
  postgres: () => new PostgresKeyValue(),
  upstash: () => new UpstashKeyValue(redis),
};

describe.each(Object.entries(implementations))('key-value store in %s', (name, create) => {
  let kv: KeyValue;
  let key: string;
  beforeAll(() => {
    kv = create();
  });
  const fresh = () => {
    key = `test:${newId()}`;
    return key;
  };

  it('returns nothing for a key that was never set', async () => {
    expect(await kv.get(fresh())).toBeNull();
  });

  it.each([
    ['digits beyond the precision of a number', '12345678901234567890'],
    ['JSON', '{"a":[1,true,null]}'],
    ['an empty string', ''],
    ['the word OK', 'OK'],
    ['non-ASCII text', 'état – 状態 🟢\n'],
  ])('returns %s unchanged', async (_what, value) => {
    await kv.set(fresh(), value);
    expect(await kv.get(key)).toBe(value);
  });

  it('replaces a value and its expiry', async () => {
    await kv.set(fresh(), 'first', { ttlSeconds: 0.2 });
    await kv.set(key, 'second');
    await sleep(300);
    expect(await kv.get(key)).toBe('second');
  });

  it('returns nothing after the expiry', async () => {
    await kv.set(fresh(), 'short', { ttlSeconds: 3 });
    expect(await kv.get(key)).toBe('short');
    await vi.waitFor(async () => expect(await kv.get(key)).toBeNull(), { timeout: 10_000, interval: 200 });
  });

  it('deletes, also missing keys', async () => {
    await kv.set(fresh(), 'value');
    await kv.del(key);
    await kv.del(key);
    expect(await kv.get(key)).toBeNull();
  });

  it('counts 40 concurrent calls as 40', async () => {
    fresh();
    const counts = await Promise.all(Array.from({ length: 40 }, () => kv.incr(key, { ttlSeconds: 60 })));
    expect(counts.map(({ value }) => value).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    expect(await kv.get(key)).toBe('40');
  });

  it('starts the expiry with the first call and keeps it', async () => {
    expect(await kv.incr(fresh(), { ttlSeconds: 60 })).toEqual({ value: 1, ttlSeconds: 60 });
    const second = await kv.incr(key, { ttlSeconds: 900 });
    expect(second.value).toBe(2);
    expect(second.ttlSeconds).toBeGreaterThan(55);
    expect(second.ttlSeconds).toBeLessThanOrEqual(60);
  });

  it('counts from one again after the expiry', async () => {
    await kv.incr(fresh(), { ttlSeconds: 0.2 });
    await kv.incr(key, { ttlSeconds: 0.2 });
    await sleep(300);
    expect(await kv.incr(key, { ttlSeconds: 30 })).toEqual({ value: 1, ttlSeconds: 30 });
  });

  it('adds an expiry to a counter without one', async () => {
    await kv.set(fresh(), '7');
    expect(await kv.incr(key, { ttlSeconds: 30 })).toEqual({ value: 8, ttlSeconds: 30 });
  });

  it('rejects counting a value that is not a number', async ({ skip }) => {
    skip(name === 'upstash' && redis.imitated, WITHOUT_REDIS);
    await kv.set(fresh(), 'words');
    await expect(kv.incr(key, { ttlSeconds: 30 })).rejects.toThrow();
  });

  it('deletes by prefix, matched literally', async ({ skip }) => {
    skip(name === 'upstash' && redis.imitated, WITHOUT_REDIS);
    const team = newId();
    const inside = [`t*[${team}]:a`, `t*[${team}]:b:c`];
    const outside = [`t*[${team}`, `tx[${team}]:a`, `T*[${team}]:a`, `_t*[${team}]:a`];
    await Promise.all([...inside, ...outside].map((each) => kv.set(each, 'value')));
    await kv.deletePrefix(`t*[${team}]:`);
    expect(await Promise.all(inside.map((each) => kv.get(each)))).toEqual([null, null]);
    expect(await Promise.all(outside.map((each) => kv.get(each)))).toEqual(outside.map(() => 'value'));
  });

  it('rejects deleting everything', async () => {
    await expect(kv.deletePrefix('')).rejects.toThrow('empty prefix');
  });
});

describe('key-value stores', () => {
  it('count from one again if the clock of the database was set back', async () => {
    const kv = new PostgresKeyValue();
    const key = `test:${newId()}`;
    await db.$executeRaw`
      insert into kv_entries (key, value, expires_at) values (${key}, '999', now() + interval '1 hour')`;
    expect(await kv.incr(key, { ttlSeconds: 60 })).toEqual({ value: 1, ttlSeconds: 60 });
    expect((await kv.incr(key, { ttlSeconds: 60 })).value).toBe(2);
  });

  it('delete expired rows of the table, and only those', async () => {
    const kv = new PostgresKeyValue();
    await db.kvEntry.deleteMany();
    await kv.set('over', 'value', { ttlSeconds: 0.05 });
    await kv.set('later', 'value', { ttlSeconds: 60 });
    await kv.set('always', 'value');
    await sleep(100);
    expect(await kv.sweepExpired()).toBe(1);
    expect((await db.kvEntry.findMany({ orderBy: { key: 'asc' } })).map((row) => row.key)).toEqual(['always', 'later']);
  });

  it('delete more keys by prefix than one page of a scan holds', async ({ skip }) => {
    skip(redis.imitated, WITHOUT_REDIS);
    const kv = new UpstashKeyValue(redis);
    const prefix = `many:${newId()}:`;
    const keys = Array.from({ length: 1_200 }, (_, n) => `${prefix}${n}`);
    await Promise.all(keys.map((each) => kv.set(each, '1')));
    await kv.deletePrefix(prefix);
    expect((await Promise.all(keys.map((each) => kv.get(each)))).filter((value) => value !== null)).toEqual([]);
  });

  it('fail fast while Redis is down, and notice when it is back', async () => {
    const line = await startLine(redis.url);
    const kv = new UpstashKeyValue({ url: line.url, token: redis.token });
    const key = `away:${newId()}`;
    await kv.set(key, 'value');
    line.set('cut');
    const first = await kv.get(key).catch((error: unknown) => error);
    expect(first).toBeInstanceOf(Error);
    expect(first).not.toBeInstanceOf(StoreAwayError);
    const others = Array.from({ length: 20 }, () => kv.incr(key, { ttlSeconds: 60 }).catch((error: unknown) => error));
    for (const error of await Promise.all(others)) expect(error).toBeInstanceOf(StoreAwayError);
    line.set('up');
    await vi.waitFor(async () => expect(await kv.get(key)).toBe('value'), { timeout: 20_000, interval: 100 });
    await line.close();
  });

  it('treat an error response as an available store', async () => {
    const kv = new UpstashKeyValue({ url: redis.url, token: 'wrong' });
    for (const _try of [1, 2]) await expect(kv.get('key')).rejects.toThrow('Unauthorized');
  });
});
