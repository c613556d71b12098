import { type Call, callOf, type Place } from './place';
import type { Team } from './team';

/** A secret address of a calendar, without the origin. */
async function feedOf(team: Team, feed: object): Promise<string> {
  const { url } = await team.call<{ url: string }>('POST', '/api/v1/me/calendar-feeds', feed, team.token);
  return new URL(url).pathname;
}

/** Reads of a feed by anybody; the first has the entity tag of another version. */
const floodOf = (path: string): Call[] => [
  { method: 'GET', path, headers: { 'if-none-match': '"other"' } },
  { method: 'GET', path },
];

/** Schedules since 1970 that change as often as possible, their timelines and their feeds. */
export const onCall: Place = {
  name: 'On-call timelines and feeds',
  async prepare(team) {
    const layerOf = (every: number, restrictions: object[]) => ({
      name: 'Layer',
      userIds: [team.userId],
      rotation: { unit: 'hours', every },
      restrictions,
      startDate: '1970-01-01',
      handoverTime: '00:00',
    });
    const at = { from: '08:00', to: '07:59' };
    const many = (count: number, every: number, restrictions: object[]) => ({
      name: 'Many',
      timezone: 'America/New_York',
      layers: Array.from({ length: count }, () => layerOf(every, restrictions)),
    });
    const schedules = [many(2, 1, []), many(10, 5, []), many(10, 48, [{ days: [1, 2, 3, 4, 5, 6, 7], ...at }])];
    const refused = many(10, 1, Array(10).fill({ days: [1, 2, 3, 4, 5, 6, 7], ...at }));
    const calls = [callOf(team, 'POST', '/api/v1/on-call/schedules', refused)];
    for (const schedule of schedules) {
      const made = await team.call<{ schedule: { id: string } }>('POST', '/api/v1/on-call/schedules', schedule);
      const one = `/api/v1/on-call/schedules/${made.schedule.id}`;
      const feed = await feedOf(team, { scheduleId: made.schedule.id });
      calls.push(
        callOf(team, 'GET', `${one}/timeline?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z`),
        callOf(team, 'GET', `${one}/timeline?from=9999-01-01T00:00:00Z&to=9999-02-01T00:00:00Z`),
        callOf(team, 'GET', '/api/v1/on-call/schedules'),
        callOf(team, 'GET', '/api/v1/on-call?at=9999-01-01T00:00:00Z'),
        ...floodOf(feed),
      );
    }
    return [...calls, ...floodOf(await feedOf(team, {}))];
  },
};

const [SCHEDULES, OVERRIDES] = [200, 500];

/** Many reads of all schedules at the same time, each of 100,000 overrides: together they exceed the heap unless they are read in parts. */
export const onCallReads: Place = {
  name: 'Reads of who is on call at the same time',
  perSecond: 20,
  async prepare(team, client) {
    await client.query(
      `insert into on_call_schedules (id, team_id, name, timezone, layers)
       select left(gen_random_uuid()::text, 26), $1, 'Schedule ' || n, 'America/New_York',
         (select jsonb_agg(jsonb_build_object('name', 'Layer', 'userIds', (select jsonb_agg($2::text) from generate_series(1, 50)),
           'rotation', jsonb_build_object('unit', 'hours', 'every', 5), 'startDate', '1970-01-01', 'handoverTime', '00:00',
           'restrictions', '[]'::jsonb)) from generate_series(1, 10))
       from generate_series(1, $3::int) n`,
      [team.teamId, team.userId, SCHEDULES],
    );
    await client.query(
      `insert into on_call_overrides (id, team_id, schedule_id, user_id, starts_at, ends_at)
       select left(gen_random_uuid()::text, 26), $1, s.id, $2, now() - interval '2 days', now() + interval '2 days' + n * interval '1 minute'
       from on_call_schedules s, generate_series(1, $3::int) n where s.team_id = $1`,
      [team.teamId, team.userId, OVERRIDES],
    );
    return [callOf(team, 'GET', '/api/v1/on-call')];
  },
};

const WINDOWS = 300;
/** Rules of at most 200 characters: rare dates, repeated parts, and positions that no period has. */
const rules = [
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=8',
  `FREQ=DAILY;BYSETPOS=${Array(55).fill('99').join(',')}`,
  `FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29,${Array(40).fill('-31').join(',')}`,
  `FREQ=MONTHLY;BYDAY=${Array(40).fill('-5MO').join(',')};BYSETPOS=99`,
  `FREQ=DAILY;COUNT=9999;BYMONTHDAY=31;BYMONTH=1`,
];
const rare = `FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29,${Array(40).fill('30').join(',')};UNTIL=99991231T000000Z`;

/** Recurrence rules of maintenance windows: previewed, listed, and read by anybody with the feed. */
export const recurrence: Place = {
  name: 'Recurrence rules',
  async prepare(team, client) {
    const times = { startsAt: '2024-02-29T12:00:00Z', endsAt: '2024-02-29T13:00:00Z' };
    const windows = '/api/v1/maintenance-windows';
    await team.call('POST', windows, { title: 'Rare', ...times, recurrence: rare, timezone: 'America/New_York' });
    await client.query(
      `insert into maintenance_windows
       select (jsonb_populate_record(w, jsonb_build_object('id', left(gen_random_uuid()::text, 26)))).*
       from maintenance_windows w, generate_series(2, $2::int) n where w.team_id = $1`,
      [team.teamId, WINDOWS],
    );
    const previews = rules.map((rule) => {
      const query = new URLSearchParams({ ...times, recurrence: rule, timezone: 'America/New_York' });
      return callOf(team, 'GET', `/api/v1/maintenance-preview?${query}`);
    });
    return [
      ...previews,
      callOf(team, 'GET', '/api/v1/maintenance-occurrences?from=2028-03-01T00:00:00Z&to=2028-05-30T00:00:00Z'),
      callOf(team, 'GET', `${windows}?limit=100`),
      callOf(team, 'GET', `${windows}?limit=1&state=past`),
      ...floodOf(await feedOf(team, { kind: 'maintenance' })),
    ];
  },
};
