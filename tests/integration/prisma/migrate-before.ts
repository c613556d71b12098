import { migrate, migrationNames } from '@/prisma/migrate';

/** Migrates an empty database as far as a version of development did, which lacked this migration and the later ones. */
export async function migrateBefore(databaseUrl: string, migration: string): Promise<void> {
  const names = await migrationNames();
  const index = names.findIndex((name) => name.endsWith(`_${migration}`));
  if (index <= 0) throw new Error(`There is no migration ${migration} with others before it.`);
  await migrate(databaseUrl, { only: names.slice(0, index) });
}
