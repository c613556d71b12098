import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { urlOf } from '@/scripts/lib/database/postgres.mjs';
import { freePort } from '@/scripts/lib/ports.mjs';
import { childrenOf } from './processes';

export type Part = 'web' | 'worker' | 'database' | 'start';

/** A running start script. */
export interface Launched {
  pid: number;
  dataDir: string;
  /** Everything that it and its children have written so far. */
  logs(): string;
  /** Closes its standard output and error, as a terminal that is closed does. */
  closeOutput(): void;
  /** Its exit code, or the signal that ended it. */
  exited: Promise<number | NodeJS.Signals | null>;
}

/** Upwatch as `npm start` runs it, on its own port and data. */
export interface Product extends Launched {
  url: string;
  /** The environment of web and worker, for a test that starts another of them. */
  childEnv: Record<string, string>;
  /** The process of a part, or null. */
  pidOf(part: Part): number | null;
  /** Kills a part (SIGKILL), as a crash would. */
  kill(part: Part): void;
  /** Stops everything and deletes its data. Resolves with the start script's exit code. */
  stop(): Promise<number | NodeJS.Signals | null>;
}

interface Options {
  /** Settings in addition to a free PORT and a prepared DATA_DIR of its own. */
  env?: Record<string, string>;
}

const KEPT = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SystemRoot', 'TEMP'];
const READY = /Upwatch is ready at \S+ after/;

/** A data directory that PostgreSQL's own user can access if the tests run as root. */
export async function newDataDir(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'upwatch-data-'));
  await chmod(folder, 0o755);
  return folder;
}

/** The data directory of a product that was started and stopped once, so that its empty database is migrated. */
export async function preparedDataDir(): Promise<string> {
  const prepared = process.env.PREPARED_DATA_DIR;
  if (!prepared) throw new Error('Only fault, hostile and browser tests have a prepared data directory.');
  const folder = await newDataDir();
  // Keeps the owner of the database's files, which Node's own copy does not.
  await promisify(execFile)('cp', ['-a', `${prepared}/.`, folder]);
  return folder;
}

/** Runs the start script, or one part of it, with these settings and without the tests' environment. */
export function launch(env: Record<string, string>, ...args: string[]): Launched {
  return launchBy([], env, ...args);
}

/** Runs the start script by another program, such as one that changes the user. */
export function launchBy(prefix: string[], env: Record<string, string>, ...args: string[]): Launched {
  return launchCommand([...prefix, process.execPath, 'scripts/start.mjs', ...args], env);
}

/** Runs a command with these settings and without the tests' environment. */
export function launchCommand(command: string[], env: Record<string, string>): Launched {
  const inherited = KEPT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const [program = '', ...rest] = command;
  const child: ChildProcess = spawn(program, rest, {
    env: { NODE_ENV: undefined, LOG_FORMAT: 'text', ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(null);
    });
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  const closeOutput = () => {
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  };
  return { pid: child.pid ?? 0, dataDir: env.DATA_DIR ?? '', logs: () => output, closeOutput, exited };
}

/**
 * Starts the whole product and waits until it is ready. Builds first if the sources have changed, which may take a
 * minute.
 */
export async function startProduct({ env = {} }: Options = {}): Promise<Product> {
  const port = env.PORT ?? String(await freePort());
  // A database of the test's own, or another secret, does not fit the prepared directory.
  const isOwn = env.DATABASE_URL !== undefined || env.APP_SECRET !== undefined;
  const dataDir = env.DATA_DIR ?? (await (isOwn ? newDataDir() : preparedDataDir()));
  const settings = { ...env, PORT: port, DATA_DIR: dataDir };
  const launched = launch(settings);
  await untilReady(launched);
  const pidOf = (part: Part) => findPart(launched.pid, part);
  return {
    ...launched,
    url: `http://127.0.0.1:${port}`,
    childEnv: { ...settings, NODE_ENV: 'production', ...keptSettings(dataDir, env) },
    pidOf,
    kill(part) {
      const pid = pidOf(part);
      if (pid === null) throw new Error(`There is no ${part} process to kill.`);
      process.kill(pid, 'SIGKILL');
    },
    async stop() {
      if (findPart(launched.pid, 'start') !== null) process.kill(launched.pid, 'SIGTERM');
      const code = await launched.exited;
      await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

/** Waits until a start script reports that the product is ready. Rejects if it ends before that. */
export async function untilReady({ logs, exited }: Launched): Promise<void> {
  let code: Awaited<typeof exited> | undefined;
  void exited.then((ended) => {
    code = ended;
  });
  while (!READY.test(logs())) {
    if (code !== undefined) throw new Error(`The product did not start (${code}):\n${logs()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The secret and the database URL that the start script passes to its children. */
function keptSettings(dataDir: string, env: Record<string, string>): Record<string, string> {
  const read = (name: string) => readFileSync(join(dataDir, name), 'utf8');
  const APP_SECRET = env.APP_SECRET ?? read('app-secret');
  if (env.DATABASE_URL) return { APP_SECRET, DATABASE_URL: env.DATABASE_URL };
  const port = Number(read('postgres/postmaster.pid').split('\n')[3]);
  return { APP_SECRET, DATABASE_URL: urlOf({ port, password: read('postgres-password') }, 'upwatch') };
}

const COMMANDS = { web: /^upwatch-web/, worker: /^upwatch-worker/, database: /postgres -D / };

function findPart(start: number, part: Part): number | null {
  const children = childrenOf(start);
  if (part === 'start') return children.length > 0 ? start : null;
  return children.find(({ command }) => COMMANDS[part].test(command))?.pid ?? null;
}
