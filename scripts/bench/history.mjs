// @ts-check
// Database time of the list, a monitor page and a status page with 90 days of history, and the size of the history.
import { register } from 'tsx/esm/api';
import { generate } from '../lib/build/build.mjs';
import { temporaryPostgres } from '../lib/database/temporary-postgres.mjs';
import { seedHistory } from './history/seed.mjs';
import { timeInDatabase } from './history/time-in-database.mjs';
import { weighRollUps } from './history/weigh.mjs';

const MONITORS = 10_000;
const WITH_HISTORY = 1_000;
const STATUS_PAGES = 20;
const ROUNDS = 200;

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(2)} KB`;

/** Creates the data in its own database, then runs the product's verbs on it. */
export async function run() {
  await generate();
  const server = await temporaryPostgres({
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track_planning': 'on',
  });
  Object.assign(process.env, { DATABASE_URL: server.url, LOG_LEVEL: 'fatal', APP_SECRET: 'nothing here is secret' });
  register();
  const { migrate } = await import('../../prisma/migrate.ts');
  const { db } = await import('../../server/platform/db.ts');
  try {
    await migrate(server.url);
    for (const intervalSeconds of [5, 60]) {
      const { perMonitorDay, buckets } = await weighRollUps(server.url, db, intervalSeconds);
      console.log(
        `Roll-ups at an interval of ${intervalSeconds} s: ${kilobytes(perMonitorDay)} per monitor and day with indexes, ${buckets.toFixed(0)} buckets an hour`,
      );
    }
    const began = performance.now();
    const teamId = await seedHistory(server.url, {
      monitors: MONITORS,
      withHistory: WITH_HISTORY,
      pages: STATUS_PAGES,
    });
    console.log(`Made the data in ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
    await timeInDatabase(server.url, db, { teamId, rounds: ROUNDS, pages: STATUS_PAGES, withHistory: WITH_HISTORY });
  } finally {
    await db.$disconnect();
    await server.stop();
  }
}
