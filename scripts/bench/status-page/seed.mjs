// @ts-check
import pg from 'pg';
import { httpConfig } from '../http-config.mjs';

const SERVICES = 50;

/**
 * Creates a public page with 50 components and 90 days of history each: up, with a short outage and its incident about every eight days. They are
 * checked once a day, so that reading is measured without checks.
 * @param {string} databaseUrl
 * @param {string} teamId
 * @returns {Promise<string>} the page's slug
 */
export async function seedPage(databaseUrl, teamId) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const id = (/** @type {string} */ kind) => `'0${kind}' || lpad(n::text, 20, '0')`;
  try {
    await client.query(
      `insert into monitors (id, num, team_id, type, name, config, interval_seconds)
       select ${id('BENCH')}, 1000000 + n, $1, 'http', 'Service ' || n, $2, 86400 from generate_series(1, $3::int) n`,
      [teamId, httpConfig('https://shop.example/'), SERVICES],
    );
    await client.query(
      `insert into monitor_states (monitor_id, team_id, status, status_since, last_checked_at)
       select ${id('BENCH')}, $1, 'up', now() - interval '5 days', now() from generate_series(1, $2::int) n`,
      [teamId, SERVICES],
    );
    await client.query(
      `insert into status_spans (monitor_num, started_at, ended_at, status)
       select 1000000 + n, at, case when part = 23 then null else lead(at) over (partition by n order by at) end,
         case when part % 2 = 0 then 'down' else 'up' end::monitor_status
       from generate_series(1, $1::int) n, generate_series(1, 23) part,
         lateral (select now() - interval '90 days' + (part / 2) * interval '8 days' + n * interval '1 hour'
           + case when part % 2 = 1 and part > 1 then interval '14 minutes' else interval '0' end as at) times`,
      [SERVICES],
    );
    await client.query(
      `insert into incidents (id, team_id, monitor_id, type, status, cause, started_at, resolved_at)
       select ${id('INCID')}, $1, ${id('BENCH')}, 'downtime', 'resolved', 'Connection refused', at, at + interval '14 minutes'
       from generate_series(1, $2::int) n, lateral (select now() - n * interval '40 hours' as at) times`,
      [teamId, SERVICES],
    );
    await client.query(
      `insert into status_pages (id, team_id, slug, title) values ('0PAGE000000000000000000000', $1, 'bench', 'Northwind')`,
      [teamId],
    );
    await client.query(
      `insert into status_page_monitors (status_page_id, monitor_id, position)
       select '0PAGE000000000000000000000', ${id('BENCH')}, n from generate_series(1, $1::int) n`,
      [SERVICES],
    );
    return 'bench';
  } finally {
    await client.end();
  }
}
