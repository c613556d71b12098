import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { createDatabase, dropDatabase, withDatabase } from './server';

/** The URL of this test file's own database, which is migrated and empty. Server code finds it in DATABASE_URL. */
export function testDatabase(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('Only integration, contract and fault tests have a database.');
  return url;
}

/** Another database for a test that needs two; `migrated: false` leaves it without tables. */
export async function extraDatabase({ migrated = true } = {}): Promise<{ url: string; drop: () => Promise<void> }> {
  const { url, template } = inject('postgres');
  const name = `upwatch_test_${randomBytes(8).toString('hex')}`;
  await createDatabase(url, name, migrated ? template : undefined);
  return { url: withDatabase(url, name), drop: () => dropDatabase(url, name) };
}
