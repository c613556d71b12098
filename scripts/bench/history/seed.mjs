// @ts-check
import { CONFIG, LATENCY, onConnection } from './sql.mjs';

const HOUR_S = 3600;
const DAYS = 90;
const HOURS = 35 * 24;
const RAW_DAYS = 7;

/**
 * Creates a team with monitors: the first have 90 days of roll-ups and 7 days of raw results, every 5 min; ten of them every 5 s. Every tenth changed
 * its status forty times a day, the others once a week. The history ends an hour ago.
 * @param {string} url
 * @param {{ monitors: number, withHistory: number, pages: number }} sizes
 * @returns {Promise<string>} the team's ID
 */
export async function seedHistory(url, { monitors, withHistory, pages }) {
  const openHour = Math.floor(Date.now() / 1000 / HOUR_S);
  const [openDay, first] = [Math.floor(openHour / 24), Math.floor(openHour / 24) - DAYS];
  const id = "lpad(n::text, 26, '0')";
  await onConnection(url, async (client) => {
    await client.query(
      `insert into teams (id, name, plan) values ('bench', 'Bench', 'self_hosted');
       insert into monitors (id, num, team_id, type, name, config, interval_seconds)
         select ${id}, 1000000 + n, 'bench', 'http', 'Shop ' || lpad(n::text, 5, '0'), '${CONFIG}',
           case when n <= 10 then 5 else 300 end from generate_series(1, ${monitors}) n;
       insert into monitor_states (monitor_id, team_id, status, status_since, last_checked_at)
         select ${id}, 'bench', 'up', now(), now() from generate_series(1, ${monitors}) n;
       insert into status_pages (id, team_id, slug, title)
         select 'page' || n, 'bench', 'page-' || n, 'Page' from generate_series(1, ${pages}) n;
       insert into status_page_monitors (status_page_id, monitor_id, position)
         select 'page' || page, (select ${id} from (select 50 * (page - 1) + position) m (n)), position
         from generate_series(1, ${pages}) page, generate_series(1, 50) position`,
    );
    // A change every 36 min or every week; every other span is down, and the last one is open.
    await client.query(
      `insert into status_spans (monitor_num, started_at, ended_at, status)
       select num, at, lead(at) over w, case when row_number() over w % 2 = 0 and lead(at) over w is not null then 'down' else 'up' end::monitor_status
       from monitors m cross join lateral generate_series(to_timestamp(${first * 86_400}), now(),
         case when num % 10 = 0 then interval '36 minutes' else interval '7 days' end) at
       where num <= 1000000 + ${withHistory} window w as (partition by num order by at)`,
    );
    for (let day = openDay - RAW_DAYS; day <= openDay; day += 1) {
      await client.query(`select make_check_day('epoch'::date + ${day})`);
      await client.query(
        `insert into checks (monitor_num, at, region, status, latency_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, download_ms, status_code)
         select num, at, 'default', 'up', ${LATENCY}, 4, 12, 25, 60, 3, 200
         from generate_series(0, 86395, 5) second, to_timestamp(${day * 86_400} + second) at, monitors
         where num <= 1000000 + ${withHistory} and second % interval_seconds = 0 and at <= now()`,
      );
    }
    for (const { table, column, from, to, ms } of [
      { table: 'check_hours', column: 'hour', from: openHour - HOURS, to: openHour - 1, ms: 3_600_000 },
      { table: 'check_days', column: 'day', from: first, to: openDay - 1, ms: 86_400_000 },
    ]) {
      await client.query(
        `insert into ${table} (monitor_num, ${column}, checks, latencies, up_ms, down_ms)
         select 1000000 + m, part, checks, latencies, case when m % 10 = 0 then ${ms / 2} else ${ms} end,
           case when m % 10 = 0 then ${ms / 2} end
         from generate_series(${from}, ${to}) part cross join generate_series(1, ${withHistory}) m
         join pool on pool.n = 1 + (part::bigint * 7919 + m * 7) % (select count(*) from pool)`,
      );
    }
    await client.query('insert into roll_up_mark (hour) values ($1)', [openHour]);
    await client.query('vacuum analyze');
  });
  return 'bench';
}
