// @ts-check
import { existsSync } from 'node:fs';

/**
 * Reads the variables of a `.env` file, where there is one, into the environment. A variable that is already set wins.
 * @param {string} [file] path, from the project's root by default
 */
export function loadEnvFile(file = '.env') {
  if (existsSync(file)) process.loadEnvFile(file);
}
