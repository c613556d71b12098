import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { NO_FILTER, withSchemaEngine } from './schema-engine';

/** The schema as the last migration left it, kept so that the next one can be written without a database. */
const SNAPSHOT = 'schema.snapshot';

interface SchemaFile {
  path: string;
  content: string;
}

/** The files of a Prisma schema folder; none where the folder is missing. */
export async function readSchema(directory: string): Promise<SchemaFile[]> {
  const names = await readdir(directory).catch(() => []);
  const files = names.filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(files.map(async (path) => ({ path, content: await readFile(join(directory, path), 'utf8') })));
}

/**
 * The SQL that leads from one schema to another, '' where nothing differs.
 *
 * @param from the files of the first; none mean an empty database
 * @param databaseUrl any PostgreSQL; the engine asks it for its version and touches nothing
 */
export async function diffSchemas(from: SchemaFile[], to: SchemaFile[], databaseUrl: string): Promise<string> {
  return withSchemaEngine(databaseUrl, async (engine) => {
    const result = await engine.diff({
      from: from.length > 0 ? { tag: 'schemaDatamodel', files: from } : { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: to },
      script: true,
      exitCode: true,
      filters: NO_FILTER,
    });
    return result.exitCode === 2 ? (result.stdout ?? '') : '';
  });
}

/**
 * Writes the migration from the last one's schema to the present one, and takes the present one as the new last.
 *
 * @param name what it does, in lower case words joined by underscores
 * @param databaseUrl as for `diffSchemas`
 * @returns the path of the new file, or null where the schema has not changed
 */
export async function authorMigration(name: string, databaseUrl: string, root = resolve('.')): Promise<string | null> {
  const schema = join(root, 'prisma/schema');
  const migrations = join(root, 'prisma/migrations');
  const snapshot = join(migrations, SNAPSHOT);
  const sql = await diffSchemas(await readSchema(snapshot), await readSchema(schema), databaseUrl);
  if (sql === '') return null;
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const file = join(migrations, `${stamp}_${name}`, 'migration.sql');
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, sql);
  await rm(snapshot, { recursive: true, force: true });
  await cp(schema, snapshot, { recursive: true });
  return file;
}
