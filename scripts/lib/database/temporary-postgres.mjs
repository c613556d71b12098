// @ts-check
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../ports.mjs';
import { startPostgres } from './postgres.mjs';

/** Data that need not survive a crash. */
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 300 };

/**
 * Starts a fast PostgreSQL server without durability in a temporary folder, for tests and tools.
 * @param {Record<string, string | number>} [settings] of postgresql.conf, in addition to these
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function temporaryPostgres(settings = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'upwatch-postgres-'));
  await chmod(folder, 0o755);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const port = await freePort();
    const server = await startPostgres({
      directory: join(folder, 'data'),
      port,
      password: 'upwatch',
      settings: { ...QUICK, ...settings },
      durable: false,
    });
    const stop = async () => {
      await server.stop();
      await remove();
    };
    return { url: server.url, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}
