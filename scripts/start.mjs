// @ts-check
// npm start: everything from a bare clone to a running Upwatch. Only Node's own modules are imported here, and by what
// is imported here, because nothing else is installed yet when it begins.
import { fileURLToPath } from 'node:url';
import { assertNode } from './lib/install.mjs';
import { alone, bundles, dependencies, migrations, settings, web } from './lib/prepare.mjs';
import { claim, onStop, runProduct, startDatabase } from './lib/product.mjs';
import { untilReady } from './lib/ready.mjs';
import { seconds, step } from './lib/steps.mjs';
import { supervise } from './lib/supervise.mjs';

/** Together with the database's own time within the 15 seconds that stopping may take. */
const PATIENCE_MS = 5_500;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

await runProduct(async () => {
  const began = performance.now();
  assertNode();
  const env = await alone(async () => {
    await dependencies();
    const found = await settings();
    await claim(found);
    await bundles();
    await web();
    return found;
  });
  const childEnv = { ...(await startDatabase(env)), NODE_ENV: 'production' };
  await step('Migrating the database', () => migrations(childEnv.DATABASE_URL));
  const worker = supervise({
    title: 'upwatch-worker',
    file: '.build/worker.mjs',
    // The system resolver takes a thread per name; with Node's four, a few dead name servers would hold up every check.
    env: { UV_THREADPOOL_SIZE: '64', ...childEnv },
    flags: ['--enable-source-maps'],
  });
  const site = supervise({ title: 'upwatch-web', file: 'scripts/web.mjs', env: childEnv });
  for (const child of [worker, site]) onStop(() => child.stop(PATIENCE_MS));
  await untilReady(env, site, [worker]);
  console.log(`Upwatch is ready at ${env.appUrl} after ${seconds(began)}`);
});
