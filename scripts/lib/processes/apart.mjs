// @ts-check
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { notesFd, writesJson } from '../notes.mjs';
import { Refusal } from '../steps.mjs';
import { assertMayRun, endWithStart } from './command.mjs';

const CHILD = fileURLToPath(new URL('./apart-child.mjs', import.meta.url));

/** @typedef {{ result: unknown } | { refusal: string, details: string } | { failure: string, code?: string, stack?: string }} Answer */

/**
 * Calls a function of a module in its own process: modules and services that it loads end with it, so the long-running start script does not keep
 * them.
 * @param {string} file under scripts/lib
 * @param {string} name of an exported function
 * @param {unknown[]} args that can be cloned, as the result must be
 * @returns {Promise<any>}
 */
export async function apart(file, name, ...args) {
  assertMayRun();
  const child = fork(CHILD, [file, name], {
    detached: process.platform !== 'win32',
    // Its connections to the database have the same name.
    execArgv: ['--title=upwatch-start'],
    serialization: 'advanced',
    stdio: ['ignore', notesFd(), 'inherit', 'ipc'],
  });
  endWithStart(child);
  child.send({ args, isJson: writesJson() });
  const answer = await new Promise((resolve, reject) => {
    /** @type {Answer | undefined} */
    let given;
    child.once('message', (/** @type {Answer} */ message) => {
      given = message;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (given) resolve(given);
      else reject(new Error(`A part of the start ended (${signal ?? `exit code ${code}`}).`));
    });
  });
  return read(answer);
}

/** @param {Answer} answer */
function read(answer) {
  if ('result' in answer) return answer.result;
  if ('refusal' in answer) throw new Refusal(answer.refusal, answer.details);
  const { failure, code, stack } = answer;
  throw Object.assign(new Error(failure), { ...(code && { code }), ...(stack && { stack }) });
}
