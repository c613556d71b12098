// @ts-check
import { existsSync } from 'node:fs';

/**
 * Loads the variables of a `.env` file, if it exists, into the environment. Variables that are already set take precedence.
 * @param {string} [file] path, from the project's root by default
 */
export function loadEnvFile(file = '.env') {
  if (existsSync(file)) process.loadEnvFile(file);
}
