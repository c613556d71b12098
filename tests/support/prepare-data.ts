import { rm } from 'node:fs/promises';
import { freePort } from '@/scripts/lib/ports.mjs';
import { launch, newDataDir, untilReady } from './product';

/**
 * Starts the product once, which creates and migrates a database, and stops it. Tests start from copies of its data directory: a start then takes
 * a fraction of the time.
 * @returns deletes the directory
 */
export default async function prepareData(): Promise<() => Promise<void>> {
  const folder = await newDataDir();
  const launched = launch({ DATA_DIR: folder, PORT: String(await freePort()) });
  await untilReady(launched);
  process.kill(launched.pid, 'SIGTERM');
  await launched.exited;
  process.env.PREPARED_DATA_DIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}
