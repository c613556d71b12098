import { callOf, type Place } from './place';

const [MONITORS, SPANS, INCIDENTS] = [100, 100, 30];

/** The costliest reads, at the rate that the dashboard of one user is allowed. */
export const reads: Place = {
  name: 'Costly reads of one user',
  perSecond: 100,
  async prepare(team, client) {
    const { rows } = await client.query<{ id: string; num: number }>(
      `with made as (
         insert into monitors (id, team_id, type, name, config, interval_seconds)
         select left(gen_random_uuid()::text, 26), $1, 'http', 'Monitor ' || n, '{"url":"http://127.0.0.1:9/"}', 86400
         from generate_series(1, $2::int) n returning id, num
       ), states as (
         insert into monitor_states (monitor_id, team_id, status) select id, $1, 'paused' from made
       )
       select id, num from made`,
      [team.teamId, MONITORS],
    );
    await client.query(
      `insert into status_spans (monitor_num, started_at, ended_at, status)
       select num, now() - (n + 1) * interval '20 hours', case when n > 0 then now() - n * interval '20 hours' end,
         case when n % 2 = 0 then 'paused'::monitor_status else 'up' end
       from unnest($1::int[]) num, generate_series(0, $2::int) n`,
      [rows.map(({ num }) => num), SPANS],
    );
    const monitorIds = rows.slice(0, 50).map(({ id }) => id);
    for (let count = 0; count < INCIDENTS; count += 1) {
      await team.call('POST', '/api/v1/incidents', { title: `Incident ${count}`, monitorIds });
    }
    const paths = [
      '/api/v1/overview?limit=100',
      '/api/v1/overview?limit=100&sort=uptime',
      '/api/v1/overview?limit=100&sort=p95&search=1',
      '/api/v1/incidents?limit=100',
      `/api/v1/monitors/${monitorIds[0]}/detail`,
    ];
    return paths.map((path) => callOf(team, 'GET', path));
  },
};

/** Calls that are refused, whose answers need the application too. */
export const refused: Place = {
  name: 'Floods of refused calls',
  perSecond: 200,
  async prepare() {
    return [
      { method: 'GET', path: '/api/v1/monitors' },
      { method: 'GET', path: '/api/v1/monitors', token: 'uw_unknown' },
      { method: 'GET', path: '/api/heartbeat/unknown' },
      { method: 'GET', path: `/api/trpc/${Array(20).fill('auth.me').join(',')}?batch=1` },
    ];
  },
};
