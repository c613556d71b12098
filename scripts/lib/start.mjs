// @ts-check
import { assertNode } from './install.mjs';
import { say } from './notes.mjs';
import { alone, bundles, dependencies, prepareDatabase, settings, web } from './prepare.mjs';
import { buildId, compileCache } from './processes/compile-cache.mjs';
import { memoryFlags, memorySettings } from './processes/heap.mjs';
import { untilReady, untilServing, urlOf } from './processes/ready.mjs';
import { reportStatus } from './processes/status.mjs';
import { OUTDATED, supervise } from './processes/supervise.mjs';
import { claim, onStop, startDatabase, stopAll } from './product.mjs';
import { seconds } from './steps.mjs';

/** Together with the database's own limit within the 15 s of a stop. */
const PATIENCE_MS = 5_500;
/** The maximum number of database connections. */
const CONNECTIONS = { web: 12, worker: 34 };
/** What one start can run. "migrate" ends when the database is migrated. */
export const ROLES = /** @type {const} */ (['all', 'web', 'worker', 'migrate']);

/** @typedef {typeof ROLES[number]} Role */

/** @param {string} role @returns {role is Role} */
export const isRole = (role) => ROLES.includes(/** @type {Role} */ (role));

/**
 * Prepares and starts the product, or one role of it, and returns when it serves. Called within `runProduct`, which stops it.
 * @param {Role} role
 */
export async function start(role) {
  const began = performance.now();
  assertNode();
  const hasWeb = role === 'all' || role === 'web';
  const hasWorker = role === 'all' || role === 'worker';
  const env = await alone(async () => {
    await dependencies();
    const found = await settings();
    await claim(found, role);
    await bundles();
    if (hasWeb) await web();
    return found;
  });
  const found = await startDatabase(env);
  const connections = (hasWeb ? CONNECTIONS.web : 0) + (hasWorker ? CONNECTIONS.worker : 0);
  const secret = await prepareDatabase(env, found.DATABASE_URL, connections);
  if (role === 'migrate') {
    await stopAll();
    return say(`The database is migrated after ${seconds(began)}`);
  }
  const childEnv = {
    ...memorySettings(process.env),
    ...compileCache(env.dataDir, { build: buildId(), env: process.env }),
    ...found,
    APP_SECRET: secret,
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
  const status = () => ({
    role,
    ...(site && { url: urlOf(env), web: site.isServing() }),
    ...(worker && { worker: worker.isServing() }),
  });
  onStop(reportStatus(env.dataDir, status));
  if (worker) await untilServing('worker', worker);
  if (site) await untilReady(env, site, worker ? [worker] : []);
  say(`Upwatch ${site ? `is ready at ${env.appUrl}` : 'is running'} after ${seconds(began)}`);
}
