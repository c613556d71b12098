import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '@/scripts/lib/database/database.mjs';
import { runnerFor } from '@/scripts/lib/database/postgres-binaries.mjs';
import { newDataDir } from '@/tests/support/product';
import { until } from '@/tests/support/receivers';

/** A data directory whose server was killed: its data, and a pid file whose process ID now belongs to another process. */
async function leftBehind(pid: (directory: string) => Promise<number>): Promise<string> {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const server = await openDatabase(dataDir);
  const directory = join(dataDir, 'postgres');
  const file = join(directory, 'postmaster.pid');
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
  await server.stop();
  const number = await pid(directory);
  await writeFile(file, [String(number), ...rest].join('\n'));
  await chmod(file, 0o600);
  const { uid, gid } = runnerFor('ls', directory);
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid);
  return dataDir;
}

/** A process of PostgreSQL's user with a child that it does not reap. */
async function sleeperOf(directory: string): Promise<{ parent: ChildProcess; child: number }> {
  const { uid, gid } = runnerFor('ls', directory);
  const ids = uid !== undefined && gid !== undefined ? { uid, gid } : {};
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
    ...ids,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    const ended = once(parent, 'exit');
    parent.kill('SIGKILL');
    await ended;
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  // A shell would reap its child.
  await until(
    async () => (await readFile(`/proc/${parent.pid}/cmdline`, 'utf8')).startsWith('sleep'),
    10_000,
    'The sleep',
  );
  return { parent, child: Number(line.toString()) };
}

const stateOf = async (pid: number) => (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.[0];

async function starts(dataDir: string): Promise<boolean> {
  const server = await openDatabase(dataDir);
  await server.stop();
  return true;
}

it.skipIf(process.platform !== 'linux')(
  'starts the database if the killed server is a zombie process',
  async () => {
    const dataDir = await leftBehind(async (directory) => {
      const { child } = await sleeperOf(directory);
      process.kill(child, 'SIGKILL');
      await until(async () => (await stateOf(child)) === 'Z', 10_000, 'The zombie');
      return child;
    });
    expect(await starts(dataDir)).toBe(true);
  },
  60_000,
);

it.skipIf(process.platform !== 'linux')(
  "starts the database if another program has the killed server's process ID",
  async () => {
    let pid = 0;
    const dataDir = await leftBehind(async (directory) => {
      pid = (await sleeperOf(directory)).child;
      return pid;
    });
    expect(await starts(dataDir)).toBe(true);
    expect(await stateOf(pid)).toBe('S');
  },
  60_000,
);
