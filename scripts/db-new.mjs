// npm run db:new -- <name>: writes a migration from the schema of the last one to the current one.
import { relative } from 'node:path';
import { register } from 'tsx/esm/api';
import { temporaryPostgres } from './lib/database/temporary-postgres.mjs';

const name = process.argv[2] ?? '';
if (!/^[a-z][a-z0-9_]{1,60}$/.test(name)) {
  console.error('Usage: npm run db:new -- <name>, for example add_monitor_tags (lower case, digits and underscores).');
  process.exit(1);
}

register();
const { authorMigration } = await import('../prisma/author-migration.ts');
const server = await temporaryPostgres();
try {
  const file = await authorMigration(name, server.url);
  console.log(
    file ? `Wrote ${relative('.', file)}; read it before committing.` : 'The schema has not changed: nothing to do.',
  );
} finally {
  await server.stop();
}
