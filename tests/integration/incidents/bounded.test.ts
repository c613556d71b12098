import { beforeAll, expect, it } from 'vitest';
import { getAcknowledgment } from '@/server/incidents/acknowledgments/get-acknowledgment';
import { findIncidents } from '@/server/incidents/affected-queries';
import { describeAffected } from '@/server/incidents/describe-affected';
import { newAcknowledgeToken } from '@/server/notifications/acknowledgments/acknowledge-link';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import type { TeamContext } from '@/server/trpc/contexts';
import { receivedBytes } from '@/tests/support/database-traffic';
import { as, type Person, signUp } from '@/tests/support/rest';
import { newTeam, newWebhook } from '../notifications/support';

const INCIDENTS = 30;
const MONITORS = 50;

let ctx: TeamContext;
let ids: string[];
let channelId: string;

/** Thirty open incidents, each of one monitor whose checks opened it and of all others; each monitor names twenty channels. */
beforeAll(async () => {
  ctx = await newTeam();
  const teamId = ctx.team.id;
  ({ id: channelId } = await newWebhook(ctx, 'https://example.com/a'));
  await db.$executeRaw`
    insert into monitors (id, team_id, type, name, config, interval_seconds, all_channels)
    select ${teamId} || lpad(i::text, 2, '0'), ${teamId}, 'http', 'Monitor ' || lpad(i::text, 2, '0'), '{"url":"https://example.com"}', 60, false
    from generate_series(1, ${MONITORS}::int) i`;
  await db.$executeRaw`
    insert into channels (id, team_id, type, name, config)
    select ${newId()} || i, team_id, type, name, config from channels, generate_series(1, 20) i where id = ${channelId}`;
  await db.$executeRaw`
    insert into monitor_channels (monitor_id, channel_id)
    select m.id, c.id from monitors m, channels c where m.team_id = ${teamId} and c.team_id = ${teamId}`;
  await db.$executeRaw`
    insert into incidents (id, team_id, monitor_id, type, status, open_key, title, started_at)
    select m.id || 'incident', m.team_id, m.id, 'downtime', 'open', m.id || ':status', m.name || ' is down', now()
    from monitors m where m.team_id = ${teamId} order by m.id limit ${INCIDENTS}::int`;
  await db.$executeRaw`
    insert into incident_monitors (incident_id, monitor_id)
    select i.id, m.id from incidents i, monitors m where i.team_id = ${teamId} and m.team_id = ${teamId} and m.id <> i.monitor_id`;
  ids = (await db.incident.findMany({ where: { teamId }, orderBy: { id: 'asc' } })).map(({ id }) => id);
});

const monitorIdOf = (incidentId: string) => incidentId.replace('incident', '');

it('receives the channels of the first monitor only for the messages of an incident', async () => {
  const incidents = await findIncidents(db, { id: { in: ids.slice(0, 4) } });
  const describeAll = () => db.$transaction((tx) => describeAffected(tx, incidents));
  expect(await receivedBytes(describeAll)).toBeLessThan(20_000);
  const affected = (await describeAll())(incidents[3] as (typeof incidents)[number]);
  expect(affected.monitor).toMatchObject({ id: monitorIdOf(ids[3] ?? ''), name: 'Monitor 04' });
  expect(affected.monitorNames?.slice(0, 5)).toEqual([
    'Monitor 04',
    'Monitor 01',
    'Monitor 02',
    'Monitor 03',
    'Monitor 05',
  ]);
  expect(affected.monitorNames).toHaveLength(20);
});

it('receives twenty names per incident for the page of a link that acknowledges many', async () => {
  await db.$executeRaw`
    insert into incident_updates (id, incident_id, kind, message, author_name, at)
    select i.id || n, i.id, 'acknowledged', 'Acknowledged', 'Ada ' || n, now() + n * interval '1 s'
    from incidents i, generate_series(1, 50) n where i.team_id = ${ctx.team.id}`;
  await db.incident.updateMany({ where: { id: ids[0] ?? '' }, data: { status: 'acknowledged' } });
  const groupId = newId();
  await db.acknowledgeGroup.create({ data: { id: groupId, channelId, incidentIds: ids, openings: ids.map(() => 0) } });
  const token = newAcknowledgeToken({ target: { groupId }, channelId });
  const read = () => getAcknowledgment({ ctx, input: { token } });
  expect(await receivedBytes(read)).toBeLessThan(INCIDENTS * 1_200);
  const { incidents } = await read();
  const acknowledged = incidents.find(({ status }) => status === 'acknowledged');
  expect(acknowledged?.acknowledgedBy).toBe('Ada 50');
  expect(acknowledged?.monitorNames.slice(0, 3)).toEqual(['Monitor 01', 'Monitor 02', 'Monitor 03']);
  expect(incidents[0]?.monitorNames.slice(0, 3)).toEqual(['Monitor 02', 'Monitor 01', 'Monitor 03']);
});

it('rejects a note on an incident with 2,000 updates, but resolves it', async () => {
  const person: Person = await signUp();
  const call = as(person.token);
  const { id } = (await call('POST', '/api/v1/incidents', { title: 'Orders are late' })).body.incident;
  await db.$executeRaw`
    insert into incident_updates (id, incident_id, kind, message, author_name, at)
    select ${id} || i, ${id}, 'note', 'Looking', 'Ada', now() from generate_series(1, 1998) i`;
  expect((await call('POST', `/api/v1/incidents/${id}/updates`, { message: 'The last' })).status).toBe(201);
  const { status, body } = await call('POST', `/api/v1/incidents/${id}/updates`, { message: 'One more' });
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect((await call('PATCH', `/api/v1/incidents/${id}`, { severity: 'minor' })).body.error.code).toBe(
    'VALIDATION_ERROR',
  );
  expect((await call('POST', `/api/v1/incidents/${id}/resolve`)).status).toBe(200);
  expect((await call('POST', `/api/v1/incidents/${id}/reopen`)).body.error.code).toBe('VALIDATION_ERROR');
});
