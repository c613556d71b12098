// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('pg').Client} Client */

const JOBS = ['roll-up-history', 'keep-check-days', 'delete-old-rows', 'sweep-kv'];
const HOURS = 2;

/**
 * Creates work for the recurring jobs: one check per minute of every monitor in the last hours, not rolled up yet, and a day to drop.
 * @param {Client} client
 */
export async function makeWork(client) {
  await client.query(
    `select make_check_day(((now() at time zone 'UTC') - n * interval '1 day')::date) from unnest(array[0, 1, 40]) n`,
  );
  await client.query(
    `insert into checks (monitor_num, at, region, status, latency_ms)
     select num, at, 'default', 'up'::monitor_status, 20 + num % 200 from monitors, generate_series(
       date_trunc('hour', now()) - $1::int * interval '1 hour', date_trunc('hour', now()) - interval '1 second', interval '1 minute'
     ) at
     union all
     select num, date_trunc('day', now(), 'UTC') - interval '40 days' + n * interval '1 second', 'default', 'up'::monitor_status, 20 from monitors, generate_series(1, 20) n`,
    [HOURS],
  );
  await client.query(`update status_spans set started_at = now() - interval '1 day'`);
  await client.query(
    `insert into roll_up_mark (id, hour) values (1, floor(extract(epoch from now()) / 3600)::int - $1::int)
     on conflict (id) do update set hour = excluded.hour`,
    [HOURS],
  );
  await client.query('analyze checks');
}

/**
 * Runs every recurring job, one after the other, and waits for the last.
 * @param {Client} client
 */
export async function runRecurring(client) {
  for (const name of JOBS) {
    await client.query(`select graphile_worker.add_job($1, '{}'::json, queue_name := 'bench')`, [name]);
  }
  const isDone = async () => {
    const { rows } = await client.query(
      `select 1 from graphile_worker.jobs where queue_name = 'bench' and last_error is null limit 1`,
    );
    return rows.length === 0;
  };
  while (!(await isDone())) await sleep(250);
  const { rows } = await client.query(
    `select task_identifier, last_error from graphile_worker.jobs where queue_name = 'bench'`,
  );
  const { rows: hours } = await client.query('select 1 from check_hours limit 1');
  if (rows.length > 0 || hours.length === 0) throw new Error(`A job failed, or did nothing: ${JSON.stringify(rows)}`);
}
