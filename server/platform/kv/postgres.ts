import { db } from '../db';
import { Prisma } from '../generated/prisma/client';
import { assertPrefix, type Counted, type KeyValue } from './key-value';

/** Key-value entries in PostgreSQL. Counters use the database's clock, since processes share their windows. */
export class PostgresKeyValue implements KeyValue {
  async get(key: string): Promise<string | null> {
    const isLive = { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
    return (await db.kvEntry.findFirst({ where: { key, ...isLive } }))?.value ?? null;
  }

  async set(key: string, value: string, { ttlSeconds }: { ttlSeconds?: number } = {}): Promise<void> {
    const expiresAt = ttlSeconds === undefined ? null : new Date(Date.now() + ttlSeconds * 1000);
    const update = { value, expiresAt };
    await db.kvEntry.upsert({ where: { key }, create: { key, ...update }, update });
  }

  async del(key: string): Promise<void> {
    await db.kvEntry.deleteMany({ where: { key } });
  }

  async incr(key: string, { ttlSeconds, by = 1 }: { ttlSeconds: number; by?: number }): Promise<Counted> {
    // Both columns use one reading of the clock, that of the new row. It is truncated to milliseconds, which the column would round up. A stored
    // expiry later than a new one was written before the clock was set back.
    const isOver = Prisma.sql`(
      kept.expires_at <= excluded.expires_at - make_interval(secs => ${ttlSeconds}::float8)
      or kept.expires_at > excluded.expires_at + interval '10 s')`;
    // Raw: an upsert that adds to the stored value or starts a new window, in one atomic statement.
    const rows = await db.$queryRaw<Counted[]>`
      insert into kv_entries as kept (key, value, expires_at)
      values (${key}, ${String(by)}, date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => ${ttlSeconds}::float8))
      on conflict (key) do update set
        value = case when ${isOver} then excluded.value
          else (kept.value::bigint + excluded.value::bigint)::text end,
        expires_at = case when ${isOver} then excluded.expires_at
          else coalesce(kept.expires_at, excluded.expires_at) end
      returning value::float8 as value,
        greatest(1, ceil(extract(epoch from expires_at - clock_timestamp())))::int as "ttlSeconds"`;
    const counted = rows[0];
    if (!counted) throw new Error('The counter gave no answer.');
    return counted;
  }

  async deletePrefix(prefix: string): Promise<void> {
    assertPrefix(prefix);
    await db.kvEntry.deleteMany({ where: { key: { startsWith: prefix.replace(/[\\%_]/g, '\\$&') } } });
  }

  async sweepExpired(): Promise<number> {
    return (await db.kvEntry.deleteMany({ where: { expiresAt: { lte: new Date() } } })).count;
  }
}
