import { db } from '@/server/platform/db';

/** Tables that requests change, except for the bookkeeping of refused requests: counters, last use, stored answers. */
const TABLES = [
  'audit_entries',
  'channels',
  'deliveries',
  'incident_updates',
  'incidents',
  'invitations',
  'maintenance_window_monitors',
  'maintenance_windows',
  'memberships',
  'monitor_channels',
  'monitor_states',
  'monitors',
  'status_page_monitors',
  'status_pages',
  'status_spans',
  'teams',
  'users',
];

/** Has the database count every committed statement that changes one of these tables. */
export async function watchChanges(): Promise<void> {
  await db.$executeRawUnsafe('create table watched_changes (happened int)');
  await db.$executeRawUnsafe(`
    create function watch_change() returns trigger language plpgsql as
    $$ begin insert into watched_changes select 1 where exists (select from changed); return null; end $$`);
  for (const table of TABLES) {
    for (const [event, rows] of [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ]) {
      await db.$executeRawUnsafe(`
        create trigger watch_${event} after ${event} on ${table} referencing ${rows} table as changed
        for each statement execute function watch_change()`);
    }
  }
}

/** The number of such statements. */
export async function countChanges(): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`select count(*)::int as count from watched_changes`;
  return row?.count ?? 0;
}
