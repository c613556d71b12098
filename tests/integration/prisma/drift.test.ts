import pg from 'pg';
import { expect, test } from 'vitest';
import { diffSchemas, readSchema } from '@/prisma/author-migration';
import { extraDatabase, testDatabase } from '@/tests/support/database';
import { readCatalog } from './catalog';

async function fromSchema() {
  const database = await extraDatabase({ migrated: false });
  const sql = await diffSchemas([], await readSchema('prisma/schema'), database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(sql);
  await client.end();
  return database;
}

/** Objects that the schema language cannot express and migrations create manually. */
const BEYOND_THE_SCHEMA = [
  'partitioned checks RANGE (at)',
  'index CREATE INDEX deliveries_pending_idx ON public.deliveries',
  'index CREATE INDEX deliveries_timed_idx ON public.deliveries',
  'index CREATE INDEX deliveries_waiting_idx ON public.deliveries',
  'index CREATE INDEX incident_updates_public_idx ON public.incident_updates',
  'index CREATE INDEX monitor_states_not_up_idx ON public.monitor_states',
  'index CREATE INDEX monitor_states_own_due_idx ON public.monitor_states',
  'index CREATE INDEX monitor_states_planned_until_idx ON public.monitor_states',
  'index CREATE INDEX monitor_states_private_due_idx ON public.monitor_states',
  'index CREATE INDEX monitor_states_region_due_idx ON public.monitor_states',
  'function CREATE OR REPLACE FUNCTION public.assert_compatible()',
  'function CREATE OR REPLACE FUNCTION public.forget_monitors()',
  'function CREATE OR REPLACE FUNCTION public.make_check_day(day date)',
  'trigger CREATE TRIGGER assert_compatible BEFORE UPDATE OF lease_until ON public.deliveries',
  'trigger CREATE TRIGGER assert_compatible BEFORE UPDATE OF claimed_by ON public.monitor_states',
  'trigger CREATE TRIGGER forget_monitors AFTER DELETE ON public.monitors',
  'function CREATE OR REPLACE FUNCTION public.forget_teams()',
  'trigger CREATE TRIGGER forget_teams AFTER DELETE ON public.teams',
  'function CREATE OR REPLACE FUNCTION public.forget_objects()',
  'trigger CREATE TRIGGER forget_components AFTER DELETE ON public.status_page_components',
  'trigger CREATE TRIGGER forget_members AFTER DELETE ON public.memberships',
  'trigger CREATE TRIGGER forget_sessions AFTER DELETE ON public.sessions',
];

/** Relations without foreign keys, because deleting the referenced row would delete or change any number of rows at once. */
const WITHOUT_FOREIGN_KEY = [
  'constraint deliveries deliveries_team_id_fkey',
  'constraint incident_components incident_components_component_id_fkey',
  'constraint incident_monitors incident_monitors_monitor_id_fkey',
  'constraint incidents incidents_assignee_id_fkey',
  'constraint incidents incidents_monitor_id_fkey',
  'constraint incidents incidents_team_id_fkey',
  'constraint maintenance_periods maintenance_periods_monitor_num_fkey',
  'constraint refresh_tokens refresh_tokens_session_id_fkey',
  'constraint status_spans status_spans_monitor_num_fkey',
];

test('migrates an empty database to exactly what the schema describes', async () => {
  const { url, drop } = await fromSchema();
  const [wanted, found] = [await readCatalog(url), await readCatalog(testDatabase())];
  await drop();
  expect(wanted.length).toBeGreaterThan(100);
  const beyond = found.filter((line) => BEYOND_THE_SCHEMA.some((start) => line.startsWith(start)));
  expect(beyond).toHaveLength(BEYOND_THE_SCHEMA.length);
  const dropped = wanted.filter((line) => WITHOUT_FOREIGN_KEY.some((start) => line.startsWith(start)));
  expect(dropped).toHaveLength(WITHOUT_FOREIGN_KEY.length);
  expect(found.filter((line) => !beyond.includes(line))).toEqual(wanted.filter((line) => !dropped.includes(line)));
});

test('has a snapshot equal to the current schema: no migration is missing', async () => {
  const [snapshot, schema] = [await readSchema('prisma/migrations/schema.snapshot'), await readSchema('prisma/schema')];
  expect(await diffSchemas(snapshot, schema, testDatabase())).toBe('');
});
