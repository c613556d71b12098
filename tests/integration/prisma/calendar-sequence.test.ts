import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '@/prisma/migrate';
import { extraDatabase } from '@/tests/support/database';
import { migrateBefore } from './migrate-before';

it('starts the sequence of calendars at the seconds that were published before', async () => {
  const { url, drop } = await extraDatabase({ migrated: false });
  onTestFinished(drop);
  await migrateBefore(url, 'calendar_sequence');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(
    `insert into teams (id, name, plan, updated_at) values ('team', 'Northwind', 'self_hosted', now())`,
  );
  const times = `'2026-11-01T00:00:00.600Z', '2026-11-03T00:00:07.500Z'`;
  await client.query(
    `insert into maintenance_windows (id, team_id, title, starts_at, ends_at, created_at, updated_at)
     values ('window', 'team', 'Move', now(), now() + interval '1 hour', ${times})`,
  );
  await client.query(
    `insert into on_call_schedules (id, team_id, name, timezone, layers, created_at, updated_at)
     values ('schedule', 'team', 'Payments', 'UTC', '[]', ${times})`,
  );
  await migrate(url);
  const { rows } = await client.query(
    'select sequence from maintenance_windows union all select sequence from on_call_schedules',
  );
  expect(rows).toEqual([{ sequence: 172_806 }, { sequence: 172_806 }]);
});
