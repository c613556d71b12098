import { callOf, type Place } from './place';

const row = `|${'a|'.repeat(200)}\n`;

/** Texts that cost a Markdown parser more than their length: at most 50,000 characters. */
const texts = [
  '*a_'.repeat(16_000),
  '> '.repeat(25_000),
  `${row}|${'-|'.repeat(200)}\n${row.repeat(120)}`,
  '[^a]'.repeat(12_000),
  '[a]('.repeat(12_000),
  '['.repeat(50_000),
  '- '.repeat(25_000),
  `${'[a]: /b\n'.repeat(3_000)}${'[a] '.repeat(6_000)}`,
  '`'.repeat(25_000) + 'a`'.repeat(12_000),
  '&'.repeat(25_000) + '<a '.repeat(8_000),
];

/** Written, previewed, and read by anybody with the link. */
export const markdown: Place = {
  name: 'Markdown of postmortems',
  async prepare(team) {
    const calls = [];
    for (const body of texts) {
      const { incident } = await team.call<{ incident: { id: string } }>('POST', '/api/v1/incidents', {
        title: 'Text',
      });
      const one = `/api/v1/incidents/${incident.id}`;
      // A text that the product refuses is read without HTML, as one is that was stored before the renderer had limits.
      await team.call('PUT', `${one}/postmortem`, { body, isPublished: true }).catch(() => undefined);
      const { share } = await team.call<{ share: { token: string } }>('POST', `${one}/share`, {});
      calls.push(
        callOf(team, 'PUT', `${one}/postmortem`, { body, isPublished: true }),
        callOf(team, 'POST', '/api/v1/postmortem-preview', { body }),
        { method: 'GET', path: `/auth/shared-incident/${share.token}` },
        { method: 'GET', path: `/shared/${share.token}` },
      );
    }
    return calls;
  },
};

const [INCIDENTS, UPDATES] = [100, 50];

/** A page with the most components, and incidents with as many components and notes, whose documents anybody reads. */
export const statusPage: Place = {
  name: 'Status pages with many incidents',
  async prepare(team, client) {
    const inserted = await client.query<{ id: string }>(
      `with made as (
         insert into monitors (id, team_id, type, name, config, interval_seconds)
         select left(gen_random_uuid()::text, 26), $1, 'http', 'Monitor ' || n, '{"url":"http://127.0.0.1:9/"}', 86400
         from generate_series(1, 500) n returning id, num
       ), states as (
         insert into monitor_states (monitor_id, team_id, status) select id, $1, 'paused' from made
       ), spans as (
         insert into status_spans (monitor_num, started_at, status) select num, now(), 'paused' from made
       )
       select id from made`,
      [team.teamId],
    );
    const monitorIds = inserted.rows.map(({ id }) => id);
    const page = { slug: `hostile-${team.teamId.toLowerCase()}`, title: 'Page', isPublic: true };
    const description = '*a_'.repeat(660);
    await team.call('POST', '/api/v1/status-pages', { ...page, description, monitorIds });
    const outage = { title: '<'.repeat(200), monitorIds: monitorIds.slice(0, 50) };
    for (let count = 0; count < INCIDENTS; count += 1) await team.call('POST', '/api/v1/incidents', outage);
    await client.query(
      `insert into incident_updates (id, incident_id, kind, message, author_name, is_public, at)
       select left(gen_random_uuid()::text, 26), i.id, 'note', repeat('<a href="', 440), 'Robin', true, now()
       from incidents i, generate_series(1, $2::int) where i.team_id = $1`,
      [team.teamId, UPDATES],
    );
    const read = ['', '/feed.atom', '/feed.rss', '/maintenance.ics', '/badge.svg', '/api/v2/summary.json'];
    const note = callOf(team, 'POST', '/api/v1/incidents', outage);
    return [note, ...read.map((path) => ({ method: 'GET', path: `/status/${page.slug}${path}` }))];
  },
};
