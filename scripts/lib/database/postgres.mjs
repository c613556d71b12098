// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithStart } from '../processes/command.mjs';
import { endWithUs } from '../processes/sentinel.mjs';
import { NAMELESS, namelessInitdb } from './nameless.mjs';
import { binaries, MAJOR, runnerFor } from './postgres-binaries.mjs';

const USER = 'upwatch';
/** The time limit of a "fast" shutdown before an "immediate" one. */
const PATIENCE_MS = 3_000;
/** A standby says "read-only connections". */
const READY = /database system is ready to accept (read-only )?connections/;

/**
 * @typedef {object} PostgresOptions
 * @property {string} directory of the data; its parent exists
 * @property {number} port on the loopback address
 * @property {string} password of the user `upwatch`; used when the data is created
 * @property {Record<string, string | number>} [settings] of postgresql.conf, in addition to the defaults
 * @property {boolean} [durable] false creates the files without fsync; for tests only
 * @property {number} [graceSeconds] how long it outlives this process if that is killed
 * @property {number} [lockFd] an open file that the server and its processes keep open
 * @property {number | undefined} [stalePid] the process ID in postmaster.pid, if it is known not to be a server's
 */

/**
 * @typedef {object} Postgres
 * @property {string} url of the database `postgres`
 * @property {Promise<string>} exited resolves when the server ends, with the reason
 * @property {() => Promise<void>} stop performs a "fast" shutdown
 */

/**
 * Returns the URL of a database of an embedded server.
 * @param {{ port: number, password: string }} server
 * @param {string} [database]
 */
export function urlOf({ port, password }, database = 'postgres') {
  return `postgresql://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/**
 * Reads the major version of the data in a directory; null without data.
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
export async function startPostgres(options) {
  const { directory, port, password, settings = {}, durable = true, graceSeconds = 0, lockFd, stalePid } = options;
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
    // Checks change few rows on many pages. With a checkpoint every 5 min, full-page writes would exceed the writes of the checks.
    checkpoint_timeout: '30min',
    max_wal_size: '2GB',
    wal_compression: 'on',
    wal_writer_delay: '500ms',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = run(postgres, directory, ['-D', directory, '-p', String(port), ...flags], { lockFd, stalePid });
  const callOff = child.pid ? endWithUs(child.pid, 'INT', graceSeconds) : () => undefined;
  const log = tail(child);
  const exited = new Promise((resolve) => {
    child.once('close', (code, signal) => {
      callOff();
      resolve(signal ?? (code === 0 ? 'exit code 0' : lastReason(log.text())));
    });
  });
  await new Promise((resolve, reject) => {
    log.onLine((line) => READY.test(line) && resolve(null));
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
 * Creates the data in a temporary folder and moves it when it is complete, so that incomplete data is never used.
 * @param {{ initdb: string, directory: string, password: string, durable: boolean }} options
 */
async function initialise({ initdb, directory, password, durable }) {
  const [fresh, programs] = [`${directory}.new`, `${directory}.programs`];
  const clear = () => Promise.all([fresh, programs].map((path) => rm(path, { recursive: true, force: true })));
  await clear();
  await mkdir(fresh, { mode: 0o700 });
  const secrets = await mkdtemp(join(tmpdir(), 'upwatch-'));
  const passwordFile = join(secrets, 'password');
  try {
    await writeFile(passwordFile, `${password}\n`);
    const { uid, gid } = runnerFor(initdb, fresh);
    await chmod(secrets, 0o711);
    await chmod(passwordFile, 0o600);
    if (uid !== undefined && gid !== undefined) await chown(passwordFile, uid, gid);
    const args = [
      `--pgdata=${fresh}`,
      `--username=${USER}`,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      ...(durable ? [] : ['--no-sync']),
    ];
    let failure = await runInitdb(initdb, fresh, args);
    if (failure !== null && NAMELESS.test(failure)) {
      failure = await runInitdb(namelessInitdb(initdb, programs), fresh, args);
    }
    if (failure !== null) throw new Error(`PostgreSQL's data directory could not be created: ${lastReason(failure)}`);
    await rename(fresh, directory);
  } finally {
    await rm(secrets, { recursive: true, force: true });
    await clear();
  }
}

/**
 * @param {string} initdb
 * @param {string} fresh
 * @param {string[]} args
 * @returns {Promise<string | null>} its output if it failed
 */
async function runInitdb(initdb, fresh, args) {
  const child = run(initdb, fresh, args);
  // What it leaves is incomplete, and deleted by the next start.
  endWithStart(child);
  const callOff = child.pid ? endWithUs(-child.pid, 'INT') : () => undefined;
  const log = tail(child);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(callOff);
  return code === 0 ? null : log.text();
}

/**
 * Runs a program in its own session, so that Ctrl-C in a terminal signals only the start script.
 * @param {string} program
 * @param {string} directory
 * @param {string[]} args
 * @param {{ lockFd?: number | undefined, stalePid?: number | undefined }} [options]
 */
function run(program, directory, args, { lockFd, stalePid } = {}) {
  const { prefix, ...ids } = runnerFor(program, directory);
  const [file = '', ...rest] = [...prefix, program, ...args];
  /** @type {NodeJS.ProcessEnv} */
  const environment = Object.assign(Object.create(null), { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' });
  // PostgreSQL ignores a postmaster.pid with the ID of its grandparent. The variable exists for this case: another process got the ID.
  if (stalePid !== undefined) environment.PG_GRANDPARENT_PID = String(stalePid);
  const stdio = /** @type {['ignore', 'pipe', 'pipe']} */ (
    /** @type {unknown} */ (['ignore', 'pipe', 'pipe', ...(lockFd === undefined ? [] : [lockFd])])
  );
  /** @type {import('node:child_process').SpawnOptionsWithStdioTuple<'ignore', 'pipe', 'pipe'>} */
  const options = { ...ids, cwd: '/', detached: true, env: environment, stdio };
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
 * Returns the most informative line of a log.
 * @param {string} text
 */
function lastReason(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const reason =
    // Errors sent to clients during start and stop are not the cause.
    lines.findLast((line) => /(FATAL|PANIC): +(?!the database system is|terminating )/.test(line)) ??
    lines.findLast((line) => /ERROR|error:/.test(line)) ??
    lines.at(-1) ??
    'it gave no reason';
  return reason.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*(but )?/, '');
}
