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

test('a database made by the migrations is the database that the schema describes', async () => {
  const { url, drop } = await fromSchema();
  const [wanted, found] = [await readCatalog(url), await readCatalog(testDatabase())];
  await drop();
  expect(wanted.length).toBeGreaterThan(100);
  expect(found).toEqual(wanted);
});

test('the kept snapshot is the present schema: no migration is missing', async () => {
  const [snapshot, schema] = [await readSchema('prisma/migrations/schema.snapshot'), await readSchema('prisma/schema')];
  expect(await diffSchemas(snapshot, schema, testDatabase())).toBe('');
});
