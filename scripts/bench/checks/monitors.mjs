// @ts-check
import { httpConfig } from '../http-config.mjs';

/** @typedef {import('pg').Client} Client */

/**
 * Creates a team and returns its ID. With `webhook`, a channel sends every event there.
 * @param {Client} client
 * @param {string} [webhook]
 */
export async function makeTeam(client, webhook) {
  await client.query(`insert into teams (id, name, plan) values ('BENCH', 'Bench', 'self_hosted')`);
  if (!webhook) return;
  await client.query(
    `insert into channels (id, team_id, type, name, config) values ('CHANNEL', 'BENCH', 'webhook', 'Receiver', $1)`,
    [{ url: webhook }],
  );
}

/**
 * Replaces all monitors with `count` new ones, due at once if `isNew`, else each at its next due time as if it had always been checked.
 * @param {Client} client
 * @param {{ url: string, count: number, intervalSeconds: number, isNew: boolean, teamId?: string, config?: object }} options `teamId` of the owner;
 *   `config` is added to the config
 */
export async function replaceMonitors(client, { url, count, intervalSeconds, isNew, teamId = 'BENCH', config = {} }) {
  await client.query('begin');
  await client.query('delete from monitors');
  await client.query(
    `insert into monitors (id, team_id, type, name, config, interval_seconds)
     select left(gen_random_uuid()::text, 26), $4, 'http', 'Monitor ' || n, $1, $2 from generate_series(1, $3::int) n`,
    [{ ...httpConfig(url), ...config }, intervalSeconds, count, teamId],
  );
  // The due times of server/time/phase.ts.
  await client.query(
    `insert into monitor_states (monitor_id, team_id, due_at, status, last_checked_at)
     select id, team_id,
       case when $2 then now() else to_timestamp((floor((ms - phase) / size) + 1) * size / 1000 + phase / 1000) end,
       (case when $2 then 'pending' else 'up' end)::monitor_status, case when not $2 then now() end
     from (
       select id, team_id, interval_seconds * 1000::float8 as size, extract(epoch from now())::float8 * 1000 as ms,
         floor((num * $1::float8 - floor(num * $1::float8)) * interval_seconds * 1000) as phase
       from monitors
     ) as moments`,
    [GOLDEN, isNew],
  );
  await client.query(
    `insert into status_spans (monitor_num, started_at, status)
     select m.num, s.status_since, s.status from monitors m join monitor_states s on s.monitor_id = m.id`,
  );
  await client.query('commit');
  await client.query(`select pg_notify('upwatch_schedule', '')`);
  await client.query('analyze monitors, monitor_states');
}

const GOLDEN = 0.6180339887498949;

/**
 * Calculates the lateness of the checks between two times, from the database alone: a monitor is due at every interval of its phase
 * (server/time/phase.ts), and `at` is the start of its check by the database's clock.
 * @param {Client} client
 * @param {Date} from
 * @param {Date} to
 * @param {string} [teamId] only this team's monitors
 * @returns {Promise<{ checks: number, p50: number, p99: number, max: number, missed: number }>} milliseconds
 */
export async function latenessOf(client, from, to, teamId) {
  const { rows } = await client.query(
    `with seen as (
       select m.id, m.interval_seconds * 1000 as size, (extract(epoch from c.at) * 1000)::bigint
         - floor((m.num * $1::float8 - floor(m.num * $1::float8)) * m.interval_seconds * 1000)::bigint as since
       from checks c join monitors m on m.num = c.monitor_num where c.at between $2 and $3 and ($4::text is null or m.team_id = $4)
     ), late as (
       -- The clock may be a few milliseconds ahead of the database's: that is early, not an interval late.
       select id, mod(since + size / 2, size) - size / 2 as ms from seen
     )
     select count(*)::int as checks, percentile_disc(0.5) within group (order by ms)::int as p50,
       percentile_disc(0.99) within group (order by ms)::int as p99, max(ms)::int as max,
       ((select sum(extract(epoch from $3 - $2::timestamptz) / interval_seconds) from monitors where $4::text is null or team_id = $4) - count(*))::int as missed
     from late`,
    [GOLDEN, from, to, teamId ?? null],
  );
  return rows[0];
}

/** @param {Client} client the database's clock */
export async function databaseNow(client) {
  const { rows } = await client.query('select clock_timestamp() as now');
  return /** @type {Date} */ (rows[0].now);
}
