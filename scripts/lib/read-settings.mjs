// @ts-check
import { pathToFileURL } from 'node:url';
import { say } from './notes.mjs';
import { BUILD } from './stamps.mjs';
import { oneLine, Refusal } from './steps.mjs';

/**
 * The settings, read as web and worker will read them. Warns of variables that look like settings and are none.
 * @returns {Promise<import('../../server/platform/env').Env>}
 */
export async function readSettings() {
  try {
    /** @type {typeof import('../../server/platform/env')} */
    const { parseEnv, unknownVariables } = await import(pathToFileURL(`${BUILD}/env.mjs`).href);
    const env = parseEnv(process.env);
    for (const { name, meant } of unknownVariables(process.env)) {
      say(`${name} is no setting of Upwatch and changes nothing. Did you mean ${meant}?`, 'warn');
    }
    return env;
  } catch (error) {
    throw new Refusal(oneLine(error));
  }
}
