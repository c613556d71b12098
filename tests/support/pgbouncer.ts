import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runnerFor } from '@/scripts/lib/database/postgres-binaries.mjs';
import { freePort } from '@/scripts/lib/ports.mjs';
import { until } from './receivers';

/** Whether this machine has PgBouncer. */
export const hasPgBouncer = (() => {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });

/** PgBouncer in front of a database, with its defaults except for the mode and these settings. Returns the URL. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction' | 'statement',
  settings: Record<string, string | number> = {},
): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'upwatch-pgbouncer-'));
  await chmod(folder, 0o755);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const listen = await freePort();
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: listen,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const target = `* = host=${hostname} port=${port} user=${username} password=${password}`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, ['[databases]', target, '[pgbouncer]', ...lines, ''].join('\n'));
  const { uid, gid } = runnerFor('pgbouncer', folder);
  const child: ChildProcess = spawn('pgbouncer', [file], {
    ...(uid !== undefined && gid !== undefined && { uid, gid }),
    stdio: 'ignore',
  });
  await until(() => answers(listen), 30_000, 'PgBouncer');
  return {
    url: `postgresql://${username}:${password}@127.0.0.1:${listen}${pathname}`,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
