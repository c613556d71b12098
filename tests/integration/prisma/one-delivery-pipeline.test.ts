import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '@/prisma/migrate';
import { extraDatabase } from '@/tests/support/database';
import { migrateBefore } from './migrate-before';

const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 12, 0, second));

it('carries pending deliveries in their order, and their jobs as one per channel', async () => {
  const { url, drop } = await extraDatabase({ migrated: false });
  onTestFinished(drop);
  await migrateBefore(url, 'one_delivery_pipeline');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(
    `insert into teams (id, name, plan, updated_at) values ('team', 'Northwind', 'self_hosted', now())`,
  );
  await client.query(
    `insert into channels (id, team_id, type, name, config) values
       ('hook', 'team', 'webhook', 'Hook', '{}'), ('chat', 'team', 'slack', 'Chat', '{}'), ('done', 'team', 'slack', 'Done', '{}')`,
  );
  await client.query(
    `insert into incidents (id, team_id, type, status, started_at) values ('incident', 'team', 'downtime', 'open', now())`,
  );
  const insert = (
    id: string,
    { channel = 'hook', status = 'pending', after = null as string | null, created = 0, next = null as Date | null },
  ) =>
    client.query(
      `insert into deliveries (id, team_id, channel_id, incident_id, after_id, event, event_key, payload, status, next_attempt_at, created_at)
       values ($1, 'team', $2, 'incident', $3, 'incident.opened', $1, '{}', $4, $5, $6)`,
      [id, channel, after, status, next, at(created)],
    );
  // Written in another order than that of their events, the last by a process whose clock was behind.
  await insert('third-final', { status: 'failed', created: 3 });
  await insert('second-final', { status: 'delivered', created: 2 });
  await insert('first', { created: 4, next: at(30) });
  await insert('second', { after: 'first', created: 6, next: at(6) });
  await insert('third', { after: 'second', created: 5, next: at(5) });
  await insert('chat', { channel: 'chat', next: at(7) });
  await insert('done', { channel: 'done', status: 'delivered' });
  const add = (payload: object, key: string | null) =>
    client.query(`select graphile_worker.add_job('deliver-message', $1, job_key => $2)`, [payload, key]);
  await add({ deliveryId: 'first' }, 'deliver:first');
  await add({ deliveryIds: ['second', 'third'] }, null);
  await add({ channelId: 'chat' }, 'deliver-group:chat');
  await client.query(`select graphile_worker.add_job('sweep-kv')`);
  await migrate(url);

  const { rows } = await client.query(
    `select id, next_attempt_at from deliveries where channel_id = 'hook' order by seq`,
  );
  expect(rows).toEqual([
    { id: 'second-final', next_attempt_at: null },
    { id: 'third-final', next_attempt_at: null },
    { id: 'first', next_attempt_at: at(30) },
    { id: 'second', next_attempt_at: null },
    { id: 'third', next_attempt_at: null },
  ]);
  const jobs = await client.query(
    `select task.identifier, job.payload->>'channelId' as channel, job.key
     from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id order by 1, 2`,
  );
  expect(jobs.rows).toEqual([
    { identifier: 'deliver-message', channel: 'chat', key: null },
    { identifier: 'deliver-message', channel: 'hook', key: null },
    { identifier: 'sweep-kv', channel: null, key: null },
  ]);
  await client.query(
    `insert into deliveries (id, team_id, channel_id, incident_id, event, event_key, payload)
     values ('new', 'team', 'hook', 'incident', 'incident.resolved', 'new', '{}')`,
  );
  const last = await client.query(`select id from deliveries where channel_id = 'hook' order by seq desc limit 1`);
  expect(last.rows).toEqual([{ id: 'new' }]);
});
