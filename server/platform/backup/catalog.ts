import type pg from 'pg';
import { BASELINE, isOfDevelopment } from '../database/baseline';
import { DatabaseClient } from '../database/database-client';
import type { Table } from './manifest';

/** Tables that describe the running instance rather than its content: migrations write them, or processes about themselves. */
const LEFT_OUT = [
  'public._prisma_migrations',
  'public.compatibility',
  'public.live_watchers',
  'public.workers',
  'graphile_worker.migrations',
];

/** The settings of a transaction that copies tables, so that every server writes and reads values in the same text form. */
export const SETTINGS_OF_COPY = `
  set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local bytea_output = 'hex';
  set local client_encoding = 'UTF8'; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

/** Connects to the database without a time limit for statements, because copying a table may take hours. */
export async function connect(connectionString: string, applicationName: string): Promise<pg.Client> {
  const client = new DatabaseClient({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  return client;
}

/** Quotes a name for SQL. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const quotedTable = ({ schema, name }: Pick<Table, 'schema' | 'name'>) => `${quoted(schema)}.${quoted(name)}`;
export const quotedColumns = ({ columns }: Table) => columns.map(quoted).join(', ');

/** Returns the tables with content, and their stored columns. A partitioned table is one table. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p') and not c.relispartition
       and not c.relname ~ '^checks_\\d{8}$' and n.nspname || '.' || c.relname <> all($1)
     group by 1, 2 order by 1, 2`,
    [LEFT_OUT],
  );
  return rows;
}

/** Returns the days (YYYY-MM-DD) that the table of raw results has partitions for. */
export async function listCheckDays(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ day: string }>(
    `select to_char(to_date(right(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.checks'::regclass and c.relname ~ '^checks_\\d{8}$' order by 1`,
  );
  return rows.map(({ day }) => day);
}

/** A sequence; `value` is null if it was never used. */
export interface Sequence {
  schema: string;
  name: string;
  value: string | null;
}

export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
     where schemaname in ('public', 'graphile_worker') order by 1, 2`,
  );
  return rows;
}

/** Returns the names of the applied migrations, oldest first; without those that the baseline replaces, if the database has it. */
export async function listApplied(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select migration_name as name from public._prisma_migrations
     where finished_at is not null and rolled_back_at is null order by migration_name`,
  );
  const names = rows.map(({ name }) => name);
  return names.includes(BASELINE) ? names.filter((name) => !isOfDevelopment(name)) : names;
}
