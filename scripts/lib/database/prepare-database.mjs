// @ts-check
// Called in its own process (apart.mjs): the schema engine and the database's client end with it.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILD } from '../build/stamps.mjs';
import { say } from '../notes.mjs';
import { Refusal, step } from '../steps.mjs';
import { keptSecret } from './data-dir.mjs';

/**
 * Verifies that web and worker may use a database with the configured APP_SECRET, and migrates it. Without a secret in the environment, uses the one
 * under the data directory, which is created for a new database only.
 * @param {import('../../../server/platform/env').Env} env
 * @param {string} databaseUrl
 * @param {number} connections that web and worker may use at once
 * @returns {Promise<string>} the secret
 */
export async function prepareDatabase(env, databaseUrl, connections) {
  /** @type {typeof import('../../../server/platform/database/preflight')} */
  const { assertConnections, assertFits, assertSessions, claimSecret, readFingerprint } = await import(
    pathToFileURL(`${BUILD}/preflight.mjs`).href
  );
  if (env.databaseUrl) {
    await assertSessions(databaseUrl);
    await assertConnections(databaseUrl, connections);
  }
  const fingerprint = await readFingerprint(databaseUrl);
  const file = join(env.dataDir, 'app-secret');
  const isNew = env.appSecret === undefined && !existsSync(file);
  if (isNew && fingerprint !== null) {
    throw new Refusal(
      'APP_SECRET is missing: set it to the secret that this database was set up with (on the first machine, the file app-secret in its DATA_DIR).',
    );
  }
  const present = env.appSecret ?? keptSecret(env.dataDir, 'app-secret');
  const secrets = { present, previous: env.appSecretPrevious, ...(env.appSecret === undefined && { source: file }) };
  try {
    if (fingerprint !== null) assertFits(fingerprint, secrets);
    await step('Migrating the database', () => migrations(databaseUrl));
    await claimSecret(databaseUrl, secrets);
  } catch (error) {
    // Another machine created the secret first, so this one was never used.
    if (isNew) rmSync(file, { force: true });
    throw error;
  }
  return present;
}

/**
 * Migrates a database to the current schema.
 * @param {string} databaseUrl
 * @returns {Promise<string[]>}
 */
export async function migrations(databaseUrl) {
  const { migrate } = await import(pathToFileURL(`${BUILD}/migrate.mjs`).href);
  return migrate(databaseUrl, { onWait: say });
}
