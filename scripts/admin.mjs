// @ts-check
// npm run admin -- <command>: operator commands, run on the server while Upwatch runs.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILD } from './lib/build/stamps.mjs';
import { runningUrl } from './lib/database/database.mjs';
import { loadEnvFile } from './lib/env-file.mjs';
import { settings } from './lib/prepare.mjs';
import { Refusal, runMain } from './lib/steps.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
loadEnvFile();

await runMain(async () => {
  const file = `${BUILD}/admin.mjs`;
  if (!existsSync(file)) throw new Refusal('Upwatch is not built yet: run npm start, or npm run build.');
  const env = await settings();
  const url = env.databaseUrl ?? runningUrl(env.dataDir);
  if (!url) {
    throw new Refusal(
      `Upwatch does not run on ${env.dataDir}: start it first, or set the same DATA_DIR or DATABASE_URL.`,
    );
  }
  const kept = join(env.dataDir, 'app-secret');
  const secret = env.appSecret ?? (existsSync(kept) ? readFileSync(kept, 'utf8').trim() : undefined);
  const child = spawn(process.execPath, ['--no-warnings', file, ...process.argv.slice(2)], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      ...(secret && { APP_SECRET: secret }),
      NODE_ENV: 'production',
      LOG_LEVEL: 'fatal',
    },
    stdio: 'inherit',
  });
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
