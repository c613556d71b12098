import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { freePort } from '@/scripts/lib/ports.mjs';
import { launch, newDataDir, untilReady } from './product';

/**
 * Starts the product once, which creates and migrates a database, and stops it. Tests start from copies of its data directory: a start then takes
 * a fraction of the time. `npm test` names a directory, which the first suite creates and the others use.
 * @returns deletes the directory, unless `npm test` does
 */
export default async function prepareData(): Promise<() => Promise<void>> {
  const named = process.env.PREPARED_DATA_DIR;
  if (named && existsSync(named)) return () => Promise.resolve();
  const folder = await newDataDir();
  const launched = launch({ DATA_DIR: folder, PORT: String(await freePort()) });
  await untilReady(launched);
  process.kill(launched.pid, 'SIGTERM');
  await launched.exited;
  if (named) {
    await rename(folder, named);
    return () => Promise.resolve();
  }
  process.env.PREPARED_DATA_DIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}
