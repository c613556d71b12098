import { callOf, type Place } from './place';

const [WINDOWS, MONITORS] = [1_000, 15];

/** A thousand maintenance windows, each with a rule of its own, which reads expand and a new monitor joins. */
export const windows: Place = {
  name: 'A thousand maintenance windows',
  async prepare(team, client) {
    await client.query(
      `insert into maintenance_windows (id, team_id, title, starts_at, ends_at, recurrence, timezone, all_monitors, planned_until, updated_at)
       select left(gen_random_uuid()::text, 26), $1, 'Window ' || n, now() + n * interval '84 s', now() + n * interval '84 s' + interval '10 min',
         'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'America/New_York', true, now() + interval '8 days', now()
       from generate_series(1, $2::int) n`,
      [team.teamId, WINDOWS],
    );
    const monitor = { type: 'http', isActive: false, config: { url: 'http://127.0.0.1:9/' } };
    for (let count = 0; count < MONITORS; count += 1) {
      await team.call('POST', '/api/v1/monitors', { ...monitor, name: `Covered ${count}` });
    }
    return [
      callOf(team, 'GET', '/api/v1/maintenance-occurrences'),
      callOf(team, 'GET', '/api/v1/maintenance-windows?limit=100'),
      callOf(team, 'GET', '/api/v1/overview?limit=100'),
      callOf(team, 'POST', '/api/v1/monitors', { ...monitor, name: 'Another' }),
    ];
  },
};
