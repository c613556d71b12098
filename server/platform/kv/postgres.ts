import { db } from '../db';
import { Prisma } from '../generated/prisma/client';
import { assertPrefix, type Counted, type KeyValue } from './key-value';

/** Key-value entries in PostgreSQL, by the database's clock. */
export class PostgresKeyValue implements KeyValue {
  async get(key: string): Promise<string | null> {
    const rows = await db.$queryRaw<{ value: string }[]>`
      select value from kv_entries where key = ${key} and (expires_at is null or expires_at > clock_timestamp())`;
    return rows[0]?.value ?? null;
  }

  async set(key: string, value: string, options: { ttlSeconds?: number } = {}): Promise<void> {
    await db.$executeRaw`
      insert into kv_entries (key, value, expires_at)
      values (${key}, ${value}, clock_timestamp() + make_interval(secs => ${options.ttlSeconds ?? null}::float8))
      on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`;
  }

  async del(key: string): Promise<void> {
    await db.$executeRaw`delete from kv_entries where key = ${key}`;
  }

  async incr(key: string, { ttlSeconds, by = 1 }: { ttlSeconds: number; by?: number }): Promise<Counted> {
    // One reading of the clock, the new row's own, decides both columns; the column holds milliseconds, and would round up.
    // An end that lies further ahead than a new one was set before the clock was set back.
    const isOver = Prisma.sql`(
      kept.expires_at <= excluded.expires_at - make_interval(secs => ${ttlSeconds}::float8)
      or kept.expires_at > excluded.expires_at + interval '10 s')`;
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
    await db.$executeRaw`delete from kv_entries where starts_with(key, ${prefix})`;
  }

  sweepExpired(): Promise<number> {
    return db.$executeRaw`delete from kv_entries where expires_at <= clock_timestamp()`;
  }
}
