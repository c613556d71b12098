import { db } from '@/server/platform/db';

/** Marks teams as watched for `ms`, so that workers and other processes send live events for them. Skips deleted teams. */
export async function renewLeases(teamIds: string[], ms: number): Promise<void> {
  // Raw: a set-based upsert by the database's clock. Never shortens the lease of another process.
  await db.$executeRaw`
    insert into live_watchers as watcher (team_id, until)
    select id, clock_timestamp() + ${ms} * interval '1 millisecond' from teams where id = any(${teamIds}::text[])
    order by id for key share
    on conflict (team_id) do update set until = greatest(watcher.until, excluded.until)`;
}

/**
 * Returns the running transactions that may not have seen a newly committed lease: those with a lock on the table of leases. A transaction keeps that
 * lock until it ends; `create index concurrently` waits in the same way.
 */
export async function findReaders(): Promise<string[]> {
  // Raw: reads the lock table, which has the locks of all databases of the server. A copy of a database has the same numbers of tables.
  const rows = await db.$queryRaw<{ id: string }[]>`
    select distinct virtualtransaction as id from pg_locks
    where relation = 'live_watchers'::regclass and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())`;
  return rows.map(({ id }) => id);
}
