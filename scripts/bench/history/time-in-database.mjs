// @ts-check
import { onConnection } from './sql.mjs';

/** @param {number[]} values @param {number} share */
function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
}

/**
 * Runs the statements behind the pages repeatedly, and prints the database time of each page: planning and execution of all its statements, as
 * measured by PostgreSQL.
 * @param {string} url
 * @param {typeof import('../../../server/platform/db').db} db
 * @param {{ teamId: string, rounds: number, pages: number, withHistory: number }} options
 */
export async function timeInDatabase(url, db, { teamId, rounds, pages, withHistory }) {
  const { listOverview } = await import('../../../server/monitors/list/list-overview.ts');
  const { getMonitorDetail } = await import('../../../server/monitors/get-monitor-detail.ts');
  const { readPublicPage } = await import('../../../server/status-pages/read-public-page.ts');
  const monitor = (/** @type {number} */ n) => String(n).padStart(26, '0');
  /** @type {string | undefined} */
  let cursor;
  let listed = 0;
  /** @type {Record<string, (round: number) => Promise<unknown>>} */
  const reads = {
    'list, 50 of 10,000': async () => {
      const { nextCursor } = await listOverview(db, teamId, { limit: 50, cursor });
      listed += 50;
      cursor = nextCursor === null || listed % withHistory === 0 ? undefined : nextCursor;
    },
    'detail, 90 days': (n) =>
      getMonitorDetail(db, teamId, { id: monitor(1 + ((n * 7) % withHistory)), range: '90d' }, 'masked'),
    'detail, 7 days': (n) =>
      getMonitorDetail(db, teamId, { id: monitor(1 + ((n * 7) % withHistory)), range: '7d' }, 'masked'),
    'detail, 24 h of every 5 s': (n) =>
      getMonitorDetail(db, teamId, { id: monitor(1 + (n % 10)), range: '24h' }, 'masked'),
    'status page of 50, 90 days': (n) => readPublicPage(db, `page-${1 + (n % pages)}`),
  };
  await onConnection(url, async (client) => {
    await client.query('create extension if not exists pg_stat_statements');
    console.log('Time in the database, ms'.padEnd(30), 'p50'.padStart(8), 'p99'.padStart(8), 'statements'.padStart(12));
    for (const [name, read] of Object.entries(reads)) {
      for (let round = 0; round < 20; round += 1) await read(round);
      /** @type {number[]} */
      const times = [];
      let statements = 0;
      for (let round = 0; round < rounds; round += 1) {
        await client.query('select pg_stat_statements_reset()');
        await read(round);
        const { rows } = await client.query(
          `select sum(total_exec_time + total_plan_time)::float8 as ms, sum(calls)::int as calls from pg_stat_statements
           where query not like '%pg_stat_statements%'`,
        );
        times.push(rows[0].ms);
        statements = Math.max(statements, rows[0].calls);
      }
      const figures = [percentile(times, 0.5), percentile(times, 0.99)].map((ms) => ms.toFixed(1).padStart(8));
      console.log(name.padEnd(30), ...figures, String(statements).padStart(12));
    }
  });
}
