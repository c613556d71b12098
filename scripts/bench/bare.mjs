// @ts-check
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../lib/ports.mjs';
import { quietly } from '../lib/processes/command.mjs';

const folder = fileURLToPath(new URL('bare', import.meta.url));
const next = fileURLToPath(new URL('../../node_modules/next/dist/bin/next', import.meta.url));
/** @type {{ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: string }} */
const settings = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };

/** Builds an application with a single route. */
export function buildBare() {
  return quietly('Building the bare application', process.execPath, [next, 'build', folder], {
    ...process.env,
    ...settings,
  });
}

/**
 * Starts it on a database.
 * @param {string} databaseUrl
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startBare(databaseUrl) {
  const port = await freePort();
  const child = spawn(process.execPath, [next, 'start', folder, '-p', String(port), '-H', '127.0.0.1'], {
    env: { ...process.env, ...settings, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  for (let isReady = false; !isReady; ) {
    if (child.exitCode !== null) throw new Error('The bare application did not start.');
    await new Promise((resolve) => setTimeout(resolve, 100));
    isReady = await fetch(`${url}/row?id=none`).then(
      () => true,
      () => false,
    );
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
