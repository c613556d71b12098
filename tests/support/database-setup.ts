import { afterAll, inject } from 'vitest';
import { createDatabase, dropDatabase, withDatabase } from './server';

const { url, template } = inject('postgres');
// Files of one process share server code, which reads the URL once: each gets a new database of the same name.
const name = `upwatch_test_${process.pid}`;
// Left behind by a file whose hooks failed.
await dropDatabase(url, name);
await createDatabase(url, name, template);
process.env.DATABASE_URL = withDatabase(url, name);

// Registered first, so it runs after the file's own hooks.
afterAll(async () => {
  const kept = globalThis as {
    upwatchDb?: { $disconnect: () => Promise<void> };
    upwatchListener?: { stop: () => Promise<void> };
    upwatchPool?: unknown;
    upwatchStatements?: unknown;
    upwatchSnapshots?: unknown;
  };
  await kept.upwatchListener?.stop();
  await kept.upwatchDb?.$disconnect();
  // The next file connects anew.
  delete kept.upwatchListener;
  delete kept.upwatchDb;
  delete kept.upwatchPool;
  delete kept.upwatchStatements;
  delete kept.upwatchSnapshots;
  await dropDatabase(url, name);
});
