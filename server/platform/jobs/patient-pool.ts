import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { watchConnection } from '../database/watch-connection';
import { connectionConfig } from '../db';
import { log } from '../log';

const LONGEST_WAIT_MS = 5_000;

/**
 * Creates a pool for the job runner whose own `query` waits for the database instead of failing, until `stop` aborts; then it returns no rows. Only
 * the runner's clock for recurring jobs uses it; an error there would end the process, because the library does not handle the rejection. Queries on
 * connections of the pool fail as usual.
 */
export function patientPool(max: number, stop: AbortSignal): pg.Pool {
  const config = connectionConfig(max);
  const pool = new pg.Pool({ ...config, onConnect: (client) => watchConnection(client, config) });
  // The runner listens while it runs; between two runs a broken connection would end the process.
  pool.on('error', (error) => log.debug({ err: error }, 'An idle connection of the jobs broke'));
  // The pool forgets a connection that it is closing; if it breaks then, it would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'A database connection of the jobs broke'));
  });
  const ask = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>;
  const askPatiently = async (text: string, values?: unknown[]): Promise<Pick<pg.QueryResult, 'rows'>> => {
    for (let wait = 250; !stop.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        return await ask(text, values);
      } catch (error) {
        log.warn({ err: error, wait }, 'Recurring jobs could not be queued, trying again');
        await sleep(wait, undefined, { signal: stop }).catch(() => undefined);
      }
    }
    return { rows: [] };
  };
  return Object.assign(pool, { query: askPatiently as typeof pool.query });
}
