// @ts-check
import { CONFIG, LATENCY, onConnection } from './sql.mjs';

const MONITORS = 20;
const DAYS = 2;
const HOUR_MS = 3_600_000;

/**
 * Rolls up raw results as the product does, and measures the size of the roll-ups. The hours stay in the table `pool`.
 * @param {string} url
 * @param {typeof import('../../../server/platform/db').db} db
 * @param {number} intervalSeconds
 * @returns {Promise<{ perMonitorDay: number, buckets: number }>} bytes, and buckets of an hour's histogram
 */
export async function weighRollUps(url, db, intervalSeconds) {
  const { rollUp } = await import('../../../server/history/roll-up.ts');
  const { makeCheckDays } = await import('../../../server/history/make-check-days.ts');
  const today = Math.floor(Date.now() / (24 * HOUR_MS));
  const days = { from: today - DAYS, to: today };
  await makeCheckDays([1, 2].map((back) => new Date((today - back) * 24 * HOUR_MS)));
  return onConnection(url, async (client) => {
    await client.query(
      `insert into teams (id, name, plan) values ('weigh', 'Weigh', 'self_hosted');
       insert into monitors (id, team_id, type, name, config, interval_seconds)
         select 'weigh' || n, 'weigh', 'http', 'Weigh', '${CONFIG}', ${intervalSeconds} from generate_series(1, ${MONITORS}) n;
       insert into status_spans (monitor_num, started_at, status)
         select num, to_timestamp(${days.from * 86_400}), 'up' from monitors;
       insert into checks (monitor_num, at, region, status, latency_ms)
         select num, at, 'default', 'up', ${LATENCY} from monitors,
           generate_series(to_timestamp(${days.from * 86_400}), to_timestamp(${days.to * 86_400 - 1}), '${intervalSeconds} s') at`,
    );
    const { rows: monitors } = await client.query(
      `select num, interval_seconds as "intervalSeconds", config, watch_changed_at as "watchChangedAt",
         former_watch_ms as "formerWatchMs", now() as "lastCheckedAt" from monitors`,
    );
    await rollUp(db, 'hour', monitors, { from: days.from * 24, to: days.to * 24, sourceFrom: 0 });
    await rollUp(db, 'day', monitors, { ...days, sourceFrom: 0 });
    const { rows } = await client.query(
      `select sum(pg_relation_size(t) + pg_indexes_size(t))::int as bytes,
         (select avg(length(latencies)) / 3 from check_hours)::float as buckets
       from unnest('{check_hours,check_days}'::regclass[]) t`,
    );
    await client.query(
      `drop table if exists pool; create table pool as
         select row_number() over () as n, checks, latencies from check_hours;
       delete from teams; truncate check_hours, check_days, checks`,
    );
    return { perMonitorDay: rows[0].bytes / (MONITORS * DAYS), buckets: rows[0].buckets };
  });
}
