import { beforeAll, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { listComponents } from '@/server/status-pages/components/component-queries';
import { readPublicPage } from '@/server/status-pages/read-public-page';
import { HOUR_MS } from '@/server/time/schema';
import { readRows, receivedBytes } from '@/tests/support/database-traffic';
import { longestShare } from '@/tests/support/longest-share';
import { type Person, signUp } from '@/tests/support/rest';
import { makeMonitor, makePage } from './support';

/** More incidents than a page reads of its components. */
const INCIDENTS = 700;

let person: Person;

/** A status page with components and their incidents: one every three hours, each for an hour, the latest first; or unresolved ones. */
async function pageWithIncidents(components: number, { areOpen = false, incidents = INCIDENTS } = {}) {
  const page = await makePage(person);
  await db.$executeRaw`
    insert into status_page_components (id, status_page_id, name, name_key, position, created_at)
    select ${page.id} || i, ${page.id}, 'Line ' || i, 'line ' || i, i, now() - interval '200 days' from generate_series(1, ${components}::int) i`;
  const prefix = newId();
  await db.$executeRaw`
    insert into incidents (id, team_id, type, status, severity, title, started_at, resolved_at)
    select ${prefix} || lpad((10000 - i)::text, 5, '0'), ${person.teamId}, 'manual', (case when ${areOpen} then 'open' else 'resolved' end)::incident_status,
      'critical', 'Calls drop', now() - i * interval '3 h', case when not ${areOpen} then now() - i * interval '3 h' + interval '1 h' end
    from generate_series(1, ${incidents}::int) i`;
  await db.$executeRaw`
    insert into incident_components (incident_id, component_id)
    select i.id, c.id from incidents i, status_page_components c where starts_with(i.id, ${prefix}) and c.status_page_id = ${page.id}`;
  return page;
}

beforeAll(async () => {
  person = await signUp();
  await db.team.updateMany({ data: { plan: 'self_hosted' } });
});

it('receives the latest incidents for the history of components, however many name them', async () => {
  const { slug } = await pageWithIncidents(5, { incidents: 3_000 });
  expect(await receivedBytes(() => readPublicPage(db, slug))).toBeLessThan(300_000);
});

it('shows no data for a component before the latest 500 incidents of its page', async () => {
  const { slug } = await pageWithIncidents(2);
  const [component] = (await readPublicPage(db, slug))?.page.components ?? [];
  // The latest 500 incidents began within 62.5 days.
  expect(component?.days.slice(0, 26)).toEqual(Array(26).fill(null));
  // Today has none yet shortly after midnight.
  expect(component?.days.slice(-62, -1)).toEqual(Array(61).fill('down'));
});

it('receives one severity per component for the list of components with hundreds of open incidents', async () => {
  const { id } = await pageWithIncidents(10, { areOpen: true });
  const list = () => listComponents(db, person.teamId, { statusPageId: id, limit: 50 });
  expect(await receivedBytes(list)).toBeLessThan(10_000);
  expect((await list()).components.map(({ status }) => status)).toEqual(Array(10).fill('down'));
});

it('finds the last incident of a page among thousands of other monitors without reading those', async () => {
  const owner = await signUp();
  const [shown, other] = [await makeMonitor(owner), await makeMonitor(owner)];
  const { slug } = await makePage(owner, { monitorIds: [shown] });
  const startedAt = new Date(Date.now() - 24 * HOUR_MS);
  await db.incident.create({
    data: {
      id: newId(),
      teamId: owner.teamId,
      monitorId: shown,
      type: 'downtime',
      status: 'resolved',
      startedAt,
      resolvedAt: new Date(),
    },
  });
  await db.$executeRaw`
    insert into incidents (id, team_id, monitor_id, type, status, started_at, resolved_at)
    select ${newId()} || i, ${owner.teamId}, ${other}, 'downtime', 'resolved', now() - i * interval '10 s', now() from generate_series(1, 5000) i`;
  await db.$executeRaw`analyze incidents`;
  const read = await readRows('incidents', async (tx) => {
    expect((await readPublicPage(tx, slug))?.page.pastIncidents).toHaveLength(1);
  });
  expect(read).toBeLessThan(1_000);
});

it('finds the public updates of an incident among thousands of internal notes without reading those', async () => {
  const shown = await makeMonitor(person);
  const { slug } = await makePage(person, { monitorIds: [shown] });
  const id = newId();
  await db.incident.create({
    data: { id, teamId: person.teamId, monitorId: shown, type: 'downtime', status: 'open', startedAt: new Date() },
  });
  await db.$executeRaw`
    insert into incident_updates (id, incident_id, kind, message, author_name, is_public, at)
    select ${id} || i, ${id}, 'note', 'Looking', 'Ada', i = 1, now() - i * interval '1 s' from generate_series(1, 5000) i`;
  await db.$executeRaw`analyze incident_updates`;
  const read = await readRows('incident_updates', async (tx) => {
    expect((await readPublicPage(tx, slug))?.page.openIncidents[0]?.updates).toHaveLength(1);
  });
  expect(read).toBeLessThan(100);
});

it('receives the monitors of the shown windows only, of a page with many maintenance windows', async () => {
  const { slug, id } = await makePage(person);
  const prefix = newId();
  await db.$executeRaw`
    insert into monitors (id, team_id, type, name, config, interval_seconds)
    select ${prefix} || i, ${person.teamId}, 'http', 'Shop ' || i, '{"url":"https://example.com"}', 60 from generate_series(1, 50) i`;
  await db.$executeRaw`
    insert into monitor_states (monitor_id, team_id) select id, team_id from monitors where starts_with(id, ${prefix})`;
  await db.$executeRaw`
    insert into status_page_monitors (status_page_id, monitor_id, position)
    select ${id}, ${prefix} || i, i from generate_series(1, 50) i`;
  await db.$executeRaw`
    insert into maintenance_windows (id, team_id, title, starts_at, ends_at)
    select ${prefix} || i, ${person.teamId}, 'Update', now() + i * interval '1 h', now() + i * interval '1 h' + interval '30 min'
    from generate_series(1, 200) i`;
  await db.$executeRaw`
    insert into maintenance_window_monitors (maintenance_window_id, monitor_id)
    select ${prefix} || w, ${prefix} || m from generate_series(1, 200) w, generate_series(1, 50) m`;
  expect(await receivedBytes(() => readPublicPage(db, slug))).toBeLessThan(250_000);
  const [first] = (await readPublicPage(db, slug))?.page.maintenances ?? [];
  expect(first?.componentIds).toHaveLength(50);
});

it('pauses for other requests while it reads a page of hundreds of monitors and components', async () => {
  const { slug, id } = await pageWithIncidents(200, { incidents: 200 });
  const prefix = newId();
  await db.$executeRaw`
    insert into monitors (id, team_id, type, name, config, interval_seconds)
    select ${prefix} || i, ${person.teamId}, 'http', 'Shop ' || i, '{"url":"https://example.com"}', 60 from generate_series(1, 200) i`;
  await db.$executeRaw`
    insert into monitor_states (monitor_id, team_id) select id, team_id from monitors where starts_with(id, ${prefix})`;
  await db.$executeRaw`
    insert into status_spans (monitor_num, started_at, ended_at, status)
    select num, now() - i * interval '20 h', now() - (i - 1) * interval '20 h', (array['up', 'down'])[1 + i % 2]::monitor_status
    from monitors, generate_series(1, 98) i where starts_with(id, ${prefix})`;
  await db.$executeRaw`
    insert into status_page_monitors (status_page_id, monitor_id, position)
    select ${id}, id, num from monitors where starts_with(id, ${prefix})`;
  const read = () => readPublicPage(db, slug);
  await read();
  const shares = [await longestShare(read), await longestShare(read), await longestShare(read)];
  // The least of three, because the time includes collections of garbage.
  expect(Math.min(...shares)).toBeLessThan(0.12);
});
