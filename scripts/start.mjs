// @ts-check
// npm start: everything from a fresh clone to a running Upwatch; with "web" or "worker", that part alone. This file and its imports use only Node's
// own modules, because nothing else is installed yet.
import { fileURLToPath } from 'node:url';
import { loadEnvFile } from './lib/env-file.mjs';
import { assertNode } from './lib/install.mjs';
import { chooseFormat, say } from './lib/notes.mjs';
import { alone, bundles, dependencies, prepareDatabase, settings, web } from './lib/prepare.mjs';
import { memoryFlags, memorySettings } from './lib/processes/heap.mjs';
import { untilReady, untilServing } from './lib/processes/ready.mjs';
import { OUTDATED, supervise } from './lib/processes/supervise.mjs';
import { claim, onStop, runProduct, startDatabase, stopAll } from './lib/product.mjs';
import { Refusal, seconds } from './lib/steps.mjs';

/** Together with the database's own limit within the 15 s of a stop. */
const PATIENCE_MS = 5_500;
const PARTS = ['web', 'worker'];
/** The maximum number of database connections. */
const CONNECTIONS = { web: 12, worker: 34 };

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
loadEnvFile();
chooseFormat(process.env.LOG_FORMAT);

await runProduct(async () => {
  const began = performance.now();
  const [part, ...rest] = process.argv.slice(2);
  if ((part !== undefined && !PARTS.includes(part)) || rest.length > 0) {
    throw new Refusal(
      'Unknown argument: npm start runs everything, npm run start:web and npm run start:worker run one process.',
    );
  }
  const [hasWeb, hasWorker] = [part !== 'worker', part !== 'web'];
  assertNode();
  const env = await alone(async () => {
    await dependencies();
    const found = await settings();
    await claim(found, part);
    await bundles();
    if (hasWeb) await web();
    return found;
  });
  const found = await startDatabase(env);
  const connections = (hasWeb ? CONNECTIONS.web : 0) + (hasWorker ? CONNECTIONS.worker : 0);
  const childEnv = {
    ...memorySettings(process.env),
    ...found,
    APP_SECRET: await prepareDatabase(env, found.DATABASE_URL, connections),
    NODE_ENV: /** @type {const} */ ('production'),
  };
  const onOutdated = () => void stopAll().then(() => process.exit(OUTDATED));
  const worker = hasWorker
    ? supervise({
        title: 'upwatch-worker',
        file: '.build/worker.mjs',
        // The system resolver takes a thread per name; with Node's four, a few dead name servers would block every check.
        env: { UV_THREADPOOL_SIZE: '64', ...childEnv },
        flags: ['--enable-source-maps', ...memoryFlags('worker', process.env)],
        onOutdated,
      })
    : null;
  const site = hasWeb
    ? supervise({
        title: 'upwatch-web',
        file: 'scripts/web.mjs',
        env: childEnv,
        flags: memoryFlags('web', process.env),
        onOutdated,
      })
    : null;
  for (const child of [worker, site]) if (child) onStop(() => child.stop(PATIENCE_MS));
  if (worker) await untilServing('worker', worker);
  if (site) await untilReady(env, site, worker ? [worker] : []);
  say(`Upwatch ${site ? `is ready at ${env.appUrl}` : 'is running'} after ${seconds(began)}`);
});
