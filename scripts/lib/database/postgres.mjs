// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithUs } from '../processes/sentinel.mjs';
import { binaries, MAJOR, runnerFor } from './postgres-binaries.mjs';

const USER = 'upwatch';
/** The time limit of a "fast" shutdown before an "immediate" one. */
const PATIENCE_MS = 3_000;
const READY = 'database system is ready to accept connections';

/**
 * @typedef {object} PostgresOptions
 * @property {string} directory of the data; its parent exists
 * @property {number} port on the loopback address
 * @property {string} password of the user `upwatch`; used when the data is created
 * @property {Record<string, string | number>} [settings] of postgresql.conf, in addition to the defaults
 * @property {boolean} [durable] false creates the files without fsync; for tests only
 * @property {number} [graceSeconds] how long it outlives this process if that is killed
 */

/**
 * @typedef {object} Postgres
 * @property {string} url of the database `postgres`
 * @property {Promise<string>} exited resolves when the server ends, with the reason
 * @property {() => Promise<void>} stop performs a "fast" shutdown
 */

/**
 * The URL of a database of an embedded server.
 * @param {{ port: number, password: string }} server
 * @param {string} [database]
 */
export function urlOf({ port, password }, database = 'postgres') {
  return `postgresql://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/**
 * The major version of the data in a directory, or null.
 * @param {string} directory
 */
export function dataVersion(directory) {
  const file = join(directory, 'PG_VERSION');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/**
 * Starts a PostgreSQL server on a data directory, which is created if it is missing.
 * @param {PostgresOptions} options
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ directory, port, password, settings = {}, durable = true, graceSeconds = 0 }) {
  const { postgres, initdb } = await binaries();
  const version = dataVersion(directory);
  if (version === null) await initialise({ initdb, directory, password, durable });
  else if (version !== MAJOR) {
    throw new Error(
      `${directory} holds the data of PostgreSQL ${version}, and this is PostgreSQL ${MAJOR}: upgrade it, or set DATA_DIR to another directory.`,
    );
  }
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    shared_buffers: '128MB',
    max_connections: 100,
    // Checks change few rows on many pages. With a checkpoint every five minutes, full-page writes would exceed the writes of the checks themselves.
    checkpoint_timeout: '30min',
    max_wal_size: '2GB',
    wal_compression: 'on',
    wal_writer_delay: '500ms',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = run(postgres, directory, ['-D', directory, '-p', String(port), ...flags]);
  const callOff = child.pid ? endWithUs(child.pid, 'INT', graceSeconds) : () => undefined;
  const log = tail(child);
  const exited = new Promise((resolve) => {
    child.once('close', (code, signal) => {
      callOff();
      resolve(signal ?? (code === 0 ? 'exit code 0' : lastReason(log.text())));
    });
  });
  await new Promise((resolve, reject) => {
    log.onLine((line) => line.includes(READY) && resolve(null));
    child.once('error', reject);
    exited.then((reason) => reject(new Error(`PostgreSQL did not start: ${reason}`)));
  });
  return {
    url: urlOf({ port, password }),
    exited,
    stop: async () => {
      child.kill('SIGINT');
      // "Immediate": the next start recovers from the WAL, as after a crash.
      const timer = setTimeout(() => child.kill('SIGQUIT'), PATIENCE_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

/**
 * Creates the data in a temporary place and moves it when it is complete, so that it is never incomplete.
 * @param {{ initdb: string, directory: string, password: string, durable: boolean }} options
 */
async function initialise({ initdb, directory, password, durable }) {
  const fresh = `${directory}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  const secrets = await mkdtemp(join(tmpdir(), 'upwatch-'));
  const passwordFile = join(secrets, 'password');
  try {
    await writeFile(passwordFile, `${password}\n`);
    const { uid, gid } = runnerFor(initdb, fresh);
    await chmod(secrets, 0o711);
    await chmod(passwordFile, 0o600);
    if (uid !== undefined && gid !== undefined) await chown(passwordFile, uid, gid);
    const child = run(initdb, fresh, [
      `--pgdata=${fresh}`,
      `--username=${USER}`,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      ...(durable ? [] : ['--no-sync']),
    ]);
    const callOff = child.pid ? endWithUs(-child.pid, 'INT') : () => undefined;
    const log = tail(child);
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }).finally(callOff);
    if (code !== 0) throw new Error(`PostgreSQL's data directory could not be created: ${lastReason(log.text())}`);
    await rename(fresh, directory);
  } finally {
    await rm(secrets, { recursive: true, force: true });
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * In its own session, so that Ctrl-C in a terminal signals the start script alone.
 * @param {string} program
 * @param {string} directory
 * @param {string[]} args
 */
function run(program, directory, args) {
  const { prefix, ...ids } = runnerFor(program, directory);
  const [file = '', ...rest] = [...prefix, program, ...args];
  /** @type {NodeJS.ProcessEnv} */
  const environment = Object.assign(Object.create(null), { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' });
  /** @type {import('node:child_process').SpawnOptionsWithStdioTuple<'ignore', 'pipe', 'pipe'>} */
  const options = { ...ids, cwd: '/', detached: true, env: environment, stdio: ['ignore', 'pipe', 'pipe'] };
  return spawn(file, rest, options);
}

/**
 * Keeps the last lines of a child's output.
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 */
function tail(child) {
  /** @type {string[]} */
  const lines = [];
  /** @type {(line: string) => void} */
  let listener = () => undefined;
  let rest = '';
  const take = (/** @type {Buffer} */ chunk) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      if (lines.length > 50) lines.shift();
      listener(line);
    }
  };
  child.stderr.on('data', take);
  child.stdout.on('data', () => undefined);
  return {
    text: () => [...lines, rest].join('\n').trim(),
    onLine: (/** @type {(line: string) => void} */ next) => {
      listener = next;
    },
  };
}

/**
 * The most informative line of a log.
 * @param {string} text
 */
function lastReason(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const telling =
    // Errors sent to clients during start and stop are not the cause.
    lines.findLast((line) => /(FATAL|PANIC): +(?!the database system is|terminating )/.test(line)) ??
    lines.findLast((line) => /ERROR|error:/.test(line)) ??
    lines.at(-1) ??
    'it gave no reason';
  return telling.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*(but )?/, '');
}
