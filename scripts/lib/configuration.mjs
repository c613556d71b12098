// @ts-check
// `upwatch plan`, `apply`, `export`, `schema`, `import` and `mcp`: clients of the public API of an instance.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { BUILD, isRelease } from './build/stamps.mjs';
import { Refusal } from './steps.mjs';

/** @typedef {{ url?: string, apiKeyFile?: string, json?: boolean }} Connection */
/** @typedef {{ cwd: string }} Place where the user is, which paths are relative to */

/** The exit code of a plan with changes. */
const HAS_CHANGES = 2;

/** @param {'configuration' | 'assistant'} name of a bundle */
async function load(name) {
  const path = `${BUILD}/${name}.mjs`;
  if (!isRelease() && !existsSync(path)) {
    throw new Refusal('Upwatch is not built yet: run npm start, or npm run build.');
  }
  // A reader that has seen enough, such as `head`, closes the pipe.
  process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  return import(pathToFileURL(path).href);
}

/** @param {Connection} options */
function context({ url = process.env.UPWATCH_URL, apiKeyFile, json = false }) {
  if (!url || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Refusal('Set UPWATCH_URL or --url to the URL of your Upwatch, such as https://upwatch.example.com.');
  }
  if (apiKeyFile && !existsSync(apiKeyFile)) throw new Refusal(`${apiKeyFile} does not exist.`);
  const key = (apiKeyFile ? readFileSync(apiKeyFile, 'utf8') : (process.env.UPWATCH_API_KEY ?? '')).trim();
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Refusal('Set UPWATCH_API_KEY or --api-key-file to an API key of the team (under Settings).');
  }
  return {
    url,
    key,
    json,
    env: process.env,
    color: process.stdout.isTTY === true && !process.env.NO_COLOR,
    print: (/** @type {string} */ text) => void process.stdout.write(`${text}\n`),
  };
}

/** Writes a line to a terminal, which replaces the previous one. @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

/** @param {string} question */
async function ask(question) {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}

/**
 * Runs a command in the user's directory. Reports errors in the files and of the API without a stack; the exit code is then 1.
 * @param {string} cwd
 * @param {(commands: typeof import('../../cli/main')) => Promise<void>} work
 */
async function reporting(cwd, work) {
  /** @type {typeof import('../../cli/main')} */
  const commands = await load('configuration');
  process.chdir(cwd);
  try {
    await work(commands);
  } catch (error) {
    progress('');
    const { FileProblems, ApplyError, ApiError, ImportError, Unreachable } = commands;
    if (error instanceof ApiError) throw new Refusal(`${error.message} (${error.code})`);
    const isNamed = [Unreachable, ApplyError, ImportError].some((kind) => error instanceof kind);
    if (isNamed) throw new Refusal(/** @type {Error} */ (error).message);
    if (!(error instanceof FileProblems)) throw error;
    for (const { where, message } of error.problems) process.stderr.write(`${where}: ${message}\n`);
    process.exitCode = 1;
  }
}

/** @param {Connection & Place & { file: string[] }} options */
export function plan({ file, cwd, ...options }) {
  return reporting(cwd, async (commands) => {
    if (await commands.plan(file, context(options))) process.exitCode = HAS_CHANGES;
  });
}

/** @param {Connection & Place & { file: string[], yes?: boolean }} options */
export function apply({ file, cwd, yes = false, ...options }) {
  return reporting(cwd, async (commands) => {
    const prompts = { yes, progress, ask: process.stdin.isTTY ? ask : null };
    if (!(await commands.apply(file, context(options), prompts))) process.exitCode = 1;
  });
}

/** @param {Connection & Place & { file?: string, project: string, showTexts?: boolean }} options */
export function exportTeam({ file = '-', cwd, project, showTexts = false, ...options }) {
  return reporting(cwd, async (commands) => {
    const connection = context(options);
    const schema = new URL('/api/v1/config.schema.json', connection.url).href;
    writeText(file, await commands.exportTeam(connection, { project, showsTexts: showTexts, schema }));
  });
}

/** @param {Place & { file?: string }} options */
export function schema({ file = '-', cwd }) {
  return reporting(cwd, async (commands) => writeText(file, commands.schema()));
}

/**
 * @param {string | undefined} file
 * @param {Connection & Place & { source?: string, map?: string[], dryRun?: boolean, yes?: boolean, active?: boolean, history?: boolean, undo?: string }} options
 */
export function importFile(
  file,
  { cwd, source, map = [], dryRun = false, yes = false, active = false, history = true, undo, ...options },
) {
  return reporting(cwd, async (commands) => {
    const prompts = { yes, progress, ask: process.stdin.isTTY ? ask : null };
    if ((file === undefined) === (undo === undefined))
      throw new Refusal('Name a file to import, or --undo with the ID of an import.');
    if (file !== undefined && !existsSync(file)) throw new Refusal(`${file} does not exist.`);
    const chosen = { ...(source !== undefined && { source }), map, dryRun, active, history };
    const isComplete =
      file === undefined
        ? await commands.undoImport(undo ?? '', context(options), prompts)
        : await commands.importFile(file, chosen, context(options), prompts);
    if (!isComplete) process.exitCode = 1;
  });
}

/**
 * Serves an assistant on standard input and output until it closes them.
 * @param {Connection & { allowChanges?: boolean }} options
 */
export async function mcp({ allowChanges = false, ...options }) {
  /** @type {typeof import('../../cli/mcp')} */
  const { serveAssistant } = await load('assistant');
  const connection = context(options);
  try {
    await serveAssistant(connection, { allowsChanges: allowChanges });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`${connection.url} cannot be used: ${reason}`);
  }
}

/**
 * @param {string} file "-" for standard output
 * @param {string} text
 */
function writeText(file, text) {
  if (file === '-') return void process.stdout.write(text);
  const draft = `${file}.${process.pid}.part`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
