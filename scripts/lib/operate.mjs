// @ts-check
// What the operator commands do around the code in server/operate, which reads the settings from the environment; it must name the database.
import { createReadStream, createWriteStream, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILD } from './build/stamps.mjs';
import { whyNotListen } from './ports.mjs';
import { onStop } from './product.mjs';
import { Refusal } from './steps.mjs';

/** @type {() => Promise<typeof import('../../server/operate/main')>} */
export const loadOperate = () => import(pathToFileURL(`${BUILD}/operate.mjs`).href);
/** @type {() => Promise<typeof import('../../prisma/migrate')>} */
const loadMigrate = () => import(pathToFileURL(`${BUILD}/migrate.mjs`).href);

const FEWEST_CHARACTERS = 8;

/** @param {string | undefined} file */
function readPassphrase(file) {
  if (file === undefined) return null;
  if (!existsSync(file)) throw new Refusal(`${file} does not exist.`);
  const passphrase = readFileSync(file, 'utf8').trim();
  if (passphrase.length >= FEWEST_CHARACTERS) return passphrase;
  throw new Refusal(`The passphrase in ${file} has fewer than ${FEWEST_CHARACTERS} characters.`);
}

/** Writes a line to a terminal, which replaces the previous one. Writes nothing elsewhere. @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

/**
 * @param {string} path "-" for standard output
 * @param {string} [passphraseFile]
 */
export async function backup(path, passphraseFile) {
  const passphrase = readPassphrase(passphraseFile);
  const { backup: write, env, variablesIn } = await loadOperate();
  const options = {
    databaseUrl: env.databaseUrl ?? '',
    passphrase,
    settings: variablesIn(process.env),
    onProgress: progress,
  };
  const hasSecret = passphrase !== null;
  if (path === '-') return { file: path, ...(await write(process.stdout, options)), bytes: null, hasSecret };
  const draft = `${path}.${process.pid}.part`;
  onStop(() => rmSync(draft, { force: true }));
  const written = await write(createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), options);
  progress('');
  renameSync(draft, path);
  return { file: path, ...written, bytes: statSync(path).size, hasSecret };
}

/**
 * @param {string} path "-" for standard input
 * @param {string} [passphraseFile]
 */
export async function restore(path, passphraseFile) {
  const passphrase = readPassphrase(passphraseFile);
  if (path !== '-' && !existsSync(path)) throw new Refusal(`${path} does not exist.`);
  const { restore: read, env, variablesIn } = await loadOperate();
  const { migrate, migrationNames } = await loadMigrate();
  const databaseUrl = env.databaseUrl ?? '';
  const kept = join(env.dataDir, 'app-secret');
  const { settings, ...restored } = await read(path === '-' ? process.stdin : createReadStream(path), {
    databaseUrl,
    passphrase,
    secret: env.appSecret ?? null,
    known: await migrationNames(),
    migrate: (only) => migrate(databaseUrl, only ? { only } : {}),
    keepSecret: async (secret) => {
      if (!env.appSecret) await writeFile(kept, secret, { mode: 0o600, flush: true });
    },
    onProgress: progress,
  });
  progress('');
  const present = variablesIn(process.env);
  return { ...restored, missing: settings.filter((name) => !(name in present)) };
}

/** @param {{ url?: string } | null} running what the start on this data directory reports */
export async function examine(running) {
  const { env, examine: find } = await loadOperate();
  const { migrationNames } = await loadMigrate();
  const why = running?.url === undefined ? await whyNotListen(env.port, env.host) : null;
  return find({ running, whyNotListen: why, known: await migrationNames() });
}
