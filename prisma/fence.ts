import type pg from 'pg';
import { COMPATIBILITY } from '../server/platform/database/compatibility';

/** The columns that a process sets when it takes work or keeps it. Jobs may be queued by any version. */
const CLAIMS = [
  ['monitor_states', 'claimed_by'],
  ['deliveries', 'lease_until'],
  ['graphile_worker._private_jobs', 'locked_by'],
] as const;

/**
 * Rejects sessions of an older version. The version is a literal, because reading it from a table would make each claim about 100 µs slower. SQLSTATE
 * 25006 (read-only) makes processes retry, or answer 503, instead of failing anything for good.
 */
const guard = (version: number) => `
  create or replace function assert_compatible() returns trigger language plpgsql as $$
  begin
    if coalesce(nullif(current_setting('upwatch.compatibility', true), ''), '0')::int < ${version} then
      raise exception 'This process of Upwatch is older than the version that has migrated the database, and may take no more work'
        using errcode = '25006', hint = 'Start the newer version.';
    end if;
    return null;
  end;
  $$`;

/**
 * Stops processes of an older compatibility version, when the client's transaction commits. Processes of this version start afterwards, so that an older
 * one never takes their work. Triggers fire once per statement; claims and results are written in batches.
 */
export async function fence(client: pg.Client, version = COMPATIBILITY): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('compatibility') is not null as exists`);
  // The migrations of an earlier version.
  if (!rows[0]?.exists) return;
  const { rowCount } = await client.query(
    `insert into compatibility (id, version) values (1, $1)
     on conflict (id) do update set version = excluded.version, set_at = now() where compatibility.version < excluded.version`,
    [version],
  );
  if (rowCount === 0) return;
  await client.query(guard(version));
  for (const [table, column] of CLAIMS) {
    await client.query(
      `create or replace trigger assert_compatible before update of ${column} on ${table}
       for each statement execute function assert_compatible()`,
    );
  }
  await client.query('notify upwatch_compatibility');
}
