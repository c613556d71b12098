import { afterAll, inject } from 'vitest';
import { createDatabase, dropDatabase, withDatabase } from './server';

const { url, template } = inject('postgres');
// Files of one process share server code, which reads the URL once: each gets a new database of the same name.
const name = `upwatch_test_${process.pid}`;
await createDatabase(url, name, template);
process.env.DATABASE_URL = withDatabase(url, name);

// Registered first, so it runs after the file's own hooks.
afterAll(async () => {
  const kept = globalThis as { upwatchDb?: { $disconnect: () => Promise<void> }; upwatchPool?: unknown };
  await kept.upwatchDb?.$disconnect();
  // The next file connects anew.
  delete kept.upwatchDb;
  delete kept.upwatchPool;
  await dropDatabase(url, name);
});
