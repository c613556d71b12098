import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A worker of the built product on this test file's database, optionally in a region, with more of the environment. It is not restarted. */
export function startWorker(
  region?: string,
  more: Record<string, string> = {},
  bundle = '.build/worker.mjs',
): ChildProcess {
  const settings = { NODE_ENV: 'production' as const, ALLOW_PRIVATE_TARGETS: 'true', LOG_LEVEL: 'error' };
  return spawn(process.execPath, [bundle], {
    env: { ...process.env, ...settings, ...(region !== undefined && { REGION: region }), ...more },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** Sends a signal that ends it, and waits until it has ended. */
export async function endWorker(worker: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const exited = once(worker, 'exit');
  worker.kill(signal);
  await exited;
}
