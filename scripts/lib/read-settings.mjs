// @ts-check
import { pathToFileURL } from 'node:url';
import { BUILD } from './build/stamps.mjs';
import { say } from './notes.mjs';
import { oneLine, Refusal } from './steps.mjs';

/**
 * Reads the settings, as web and worker will read them. Warns about variables that resemble settings.
 * @returns {Promise<import('../../server/platform/env').Env>}
 */
export async function readSettings() {
  try {
    /** @type {typeof import('../../server/platform/env')} */
    const { notesOnUnknown, parseEnv } = await import(pathToFileURL(`${BUILD}/env.mjs`).href);
    const env = parseEnv(process.env);
    for (const unknown of notesOnUnknown(process.env)) say(unknown, 'warn');
    return env;
  } catch (error) {
    throw new Refusal(oneLine(error));
  }
}
