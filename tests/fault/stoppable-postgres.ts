import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@/scripts/lib/database/postgres.mjs';
import { freePort } from '@/scripts/lib/ports.mjs';
import { childrenOf } from '@/tests/support/processes';
import { newDataDir } from '@/tests/support/product';

/** A PostgreSQL server that a test can stop, start again and freeze. */
export interface StoppablePostgres {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops all of its processes where they are (SIGSTOP): connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

export async function stoppablePostgres(): Promise<StoppablePostgres> {
  const folder = await newDataDir();
  const directory = join(folder, 'data');
  const options = { directory, port: await freePort(), password: 'upwatch', durable: false };
  let server = await startPostgres(options);
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(postmaster, name);
    for (const { pid } of childrenOf(postmaster)) {
      try {
        process.kill(pid, name);
      } catch (error) {
        // A child may end between listing and signal, because the postmaster ends first.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    }
  };
  return {
    url: server.url,
    stop: () => server.stop(),
    async start() {
      server = await startPostgres(options);
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
