// @ts-check
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { urlOf } from '../lib/database/postgres.mjs';
import { freePort } from '../lib/ports.mjs';

/**
 * Starts the product on its own data. Requests are counted as usual, against an unreachable limit.
 * @returns {Promise<{ url: string, databaseUrl: string, pid: number, stop: () => Promise<void> }>} `pid` of the start script
 */
export async function startProduct() {
  const dataDir = mkdtempSync(join(tmpdir(), 'upwatch-bench-'));
  chmodSync(dataDir, 0o755);
  const port = await freePort();
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      // Created monitors check a closed port of this machine.
      ALLOW_PRIVATE_TARGETS: 'true',
      RATE_LIMIT_PER_MINUTE: '1000000',
      PAGE_RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  let output = '';
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      output += chunk;
      if (output.includes('Upwatch is ready')) resolve(null);
    });
    exited.then(() => reject(new Error('The product did not start.')));
  });
  const kept = (/** @type {string} */ name) => readFileSync(join(dataDir, name), 'utf8');
  const database = {
    port: Number(kept('postgres/postmaster.pid').split('\n')[3]),
    password: kept('postgres-password'),
  };
  return { url: `http://127.0.0.1:${port}`, databaseUrl: urlOf(database, 'upwatch'), pid: child.pid ?? 0, stop };
}
