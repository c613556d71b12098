// @ts-check
// Called in its own process (apart.mjs), so that the start script does not keep the database's client.
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { BUILD } from '../build/stamps.mjs';
import { oneLine, Refusal } from '../steps.mjs';

/** The oldest supported major version of an external server. */
const OLDEST = 15;

/**
 * Rejects a database that is unreachable, too old or read-only.
 * @param {string} url
 */
export async function assertUsable(url) {
  /** @type {typeof import('../../../server/platform/database/database-client')} */
  const { DatabaseClient } = await import(pathToFileURL(`${BUILD}/database-client.mjs`).href);
  const found = await query(
    new DatabaseClient(optionsOf(url)),
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
       current_setting('transaction_read_only') as read_only`,
  ).catch((error) => {
    throw new Refusal(`The database at DATABASE_URL cannot be reached: ${oneLine(error)}`);
  });
  const { version, major, read_only: readOnly } = found.rows[0];
  if (major < OLDEST) {
    throw new Refusal(
      `The database at DATABASE_URL is PostgreSQL ${version}, and Upwatch requires ${OLDEST} or newer.`,
    );
  }
  if (readOnly === 'on') throw new Refusal('The database at DATABASE_URL is read-only.');
}

/**
 * Creates a database if it does not exist.
 * @param {string} url of the server's own
 * @param {string} name
 */
export async function ensureDatabase(url, name) {
  const found = await query(new pg.Client(optionsOf(url)), `select 1 from pg_database where datname = '${name}'`);
  if (found.rowCount === 0) await query(new pg.Client(optionsOf(url)), `create database ${name}`);
}

/** @param {string} url */
const optionsOf = (url) => ({
  connectionString: url,
  application_name: 'upwatch-start',
  connectionTimeoutMillis: 10_000,
});

/**
 * @param {pg.Client} client
 * @param {string} sql
 */
async function query(client, sql) {
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
