import type { TestProject } from 'vitest/node';
import { migrate } from '@/prisma/migrate';
import { buildBundles } from '@/scripts/lib/build/build.mjs';
import { temporaryPostgres } from '@/scripts/lib/database/temporary-postgres.mjs';
import { createDatabase, dropDatabase, withDatabase } from './server';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server (the URL of one of its databases) and the migrated database to copy. */
    postgres: { url: string; template: string };
  }
}

/** One server for the whole run, shared by all projects. */
const run = globalThis as typeof globalThis & { upwatchPostgres?: Promise<Prepared> };

interface Prepared {
  url: string;
  template: string;
  stop: () => Promise<void>;
}

async function prepare(): Promise<Prepared> {
  // The bundles include the script of the evaluation threads.
  await buildBundles();
  const own = process.env.TEST_DATABASE_URL ? null : await temporaryPostgres({ wal_compression: 'off' });
  const url = own?.url ?? process.env.TEST_DATABASE_URL ?? '';
  const template = `upwatch_template_${process.pid}`;
  await createDatabase(url, template);
  await migrate(withDatabase(url, template));
  return { url, template, stop: own ? own.stop : () => dropDatabase(url, template) };
}

/** Starts PostgreSQL, or uses the one at `TEST_DATABASE_URL`, and migrates the database that tests copy. */
export default async function globalSetup(project: TestProject) {
  const isFirst = run.upwatchPostgres === undefined;
  run.upwatchPostgres ??= prepare();
  const { url, template, stop } = await run.upwatchPostgres;
  project.provide('postgres', { url, template });
  return isFirst ? stop : () => undefined;
}
