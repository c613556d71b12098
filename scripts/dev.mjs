// @ts-check
// npm run dev: runs from the sources. Pages are built on demand, and the worker on every change.
import { fileURLToPath } from 'node:url';
import { watchWorker } from './lib/build/build.mjs';
import { loadEnvFile } from './lib/env-file.mjs';
import { assertNode } from './lib/install.mjs';
import { alone, bundles, dependencies, prepareDatabase, settings } from './lib/prepare.mjs';
import { untilReady } from './lib/processes/ready.mjs';
import { supervise } from './lib/processes/supervise.mjs';
import { claim, onStop, runProduct, startDatabase } from './lib/product.mjs';

const PATIENCE_MS = 3_000;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
loadEnvFile();

await runProduct(async () => {
  assertNode();
  const env = await alone(async () => {
    await dependencies();
    const found = await settings();
    await claim(found);
    await bundles();
    return found;
  });
  const found = await startDatabase(env);
  const childEnv = {
    ...found,
    APP_SECRET: await prepareDatabase(env, found.DATABASE_URL, 46),
    NODE_ENV: /** @type {const} */ ('development'),
  };

  /** @type {ReturnType<typeof supervise> | null} */
  let worker = null;
  const endWatch = await watchWorker(async (file) => {
    await worker?.stop(PATIENCE_MS);
    worker = file ? supervise({ title: 'upwatch-worker', file, env: childEnv, flags: ['--enable-source-maps'] }) : null;
  });
  onStop(async () => {
    await endWatch();
    await worker?.stop(PATIENCE_MS);
  });
  const web = supervise({ title: 'upwatch-web', file: 'scripts/web.mjs', args: ['--dev'], env: childEnv });
  onStop(() => web.stop(PATIENCE_MS));
  await untilReady(env, web);
  console.log(`Upwatch is ready for changes at ${env.appUrl}`);
});
