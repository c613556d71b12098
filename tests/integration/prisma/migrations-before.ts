import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with the product's migrations before this one. */
export async function migrationsBefore(migration: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'upwatch-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = (await readdir('prisma/migrations')).filter((name) => /^\d/.test(name)).sort();
  const before = names.slice(
    0,
    names.findIndex((name) => name.endsWith(migration)),
  );
  for (const name of before) await cp(join('prisma/migrations', name), join(folder, name), { recursive: true });
  return folder;
}
