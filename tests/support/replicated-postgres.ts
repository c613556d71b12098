import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@/scripts/lib/database/postgres.mjs';
import { freePort } from '@/scripts/lib/ports.mjs';
import { childrenOf } from './processes';
import { newDataDir } from './product';
import { createDatabase, run, withDatabase } from './server';

/** A PostgreSQL primary and its synchronous streaming standby. A commit is answered once the standby has it on its disk. */
export interface ReplicatedPostgres {
  /** Of a database on both, the primary first. */
  url: string;
  /** The same database on each alone. */
  primary: string;
  standby: string;
  /** Sends a signal to all processes of the primary: SIGKILL is a crash, SIGSTOP a machine that hangs. */
  signalPrimary(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  /** Starts the killed primary again, as a machine that comes back does: it accepts writes, without its standby. */
  restartPrimary(): Promise<void>;
  /** Stops the former standby. */
  stopStandby(): Promise<void>;
  remove(): Promise<void>;
}

const SETTINGS = { max_connections: 200, fsync: 'off' };
const NAME = 'upwatch_standby';

/** Makes a standby of a stopped server's data. The embedded server has no pg_basebackup. */
function copyAsStandby(from: string, to: string, primaryUrl: string): void {
  // Keeps the owner of the files.
  execFileSync('cp', ['-a', from, to]);
  writeFileSync(join(to, 'standby.signal'), '');
  const info = `${withDatabase(primaryUrl, 'postgres')}?application_name=${NAME}`;
  appendFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${info}'\n`);
}

export async function replicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await newDataDir();
  const [data, standbyData] = [join(folder, 'primary'), join(folder, 'standby')];
  const [port, standbyPort] = [await freePort(), await freePort()];
  const common = { password: 'upwatch', durable: false };
  const options = { ...common, directory: data, port, settings: SETTINGS };
  const empty = await startPostgres(options);
  await createDatabase(empty.url, 'upwatch');
  await empty.stop();
  copyAsStandby(data, standbyData, empty.url);
  const synchronous = { ...SETTINGS, synchronous_standby_names: NAME };
  const servers = [
    await startPostgres({ ...options, settings: synchronous }),
    await startPostgres({ ...common, directory: standbyData, port: standbyPort, settings: SETTINGS }),
  ];
  const [primary, standby] = [
    withDatabase(servers[0]?.url ?? '', 'upwatch'),
    withDatabase(servers[1]?.url ?? '', 'upwatch'),
  ];
  return {
    url: `${primary.replace(/\/upwatch$/, '')},127.0.0.1:${standbyPort}/upwatch?target_session_attrs=read-write`,
    primary,
    standby,
    signalPrimary(signal) {
      const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      for (const pid of [postmaster, ...childrenOf(postmaster).map(({ pid }) => pid)]) {
        try {
          process.kill(pid, signal);
        } catch (error) {
          // A child ends by itself when it finds the postmaster gone.
          if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
        }
      }
    },
    promote: () => run(standby, 'select pg_promote(true, 60)'),
    async restartPrimary() {
      await servers[0]?.exited;
      servers[0] = await startPostgres(options);
    },
    stopStandby: async () => servers[1]?.stop(),
    async remove() {
      await Promise.all(servers.map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
