import { db } from '@/server/platform/db';

/** Marks teams as watched for `ms`, for workers and other processes. Teams that were deleted meanwhile are skipped. */
export async function renewLeases(teamIds: string[], ms: number): Promise<void> {
  // Raw: a set-based upsert by the database's clock. A lease of another process is not shortened.
  await db.$executeRaw`
    insert into live_watchers as watcher (team_id, until)
    select id, clock_timestamp() + ${ms} * interval '1 millisecond' from teams where id = any(${teamIds}::text[])
    order by id for key share
    on conflict (team_id) do update set until = greatest(watcher.until, excluded.until)`;
}

/**
 * The transactions that may not have seen a lease which was committed meanwhile: those that read the leases and have not ended. Each keeps its lock
 * on the table until it ends; `create index concurrently` relies on the same.
 */
export async function findReaders(): Promise<string[]> {
  // Raw: the lock table.
  const rows = await db.$queryRaw<{ id: string }[]>`
    select distinct virtualtransaction as id from pg_locks
    where relation = 'live_watchers'::regclass and pid <> pg_backend_pid()`;
  return rows.map(({ id }) => id);
}
