import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '@/prisma/migrate';
import { extraDatabase } from '@/tests/support/database';
import { migrateBefore } from './migrate-before';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 12, minute));

it('keeps the schedules, claims, verdicts and streaks of monitors and of their regions', async () => {
  const { url, drop } = await extraDatabase({ migrated: false });
  onTestFinished(drop);
  await migrateBefore(url, 'rename_latency_streak');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`insert into teams (id, name, plan) values ('team', 'Team', 'self_hosted')`);
  await client.query(
    `insert into monitors (id, team_id, type, name, config, interval_seconds, regions) values
       ('plain', 'team', 'http', 'Plain', '{}', 60, '{}'), ('voted', 'team', 'http', 'Voted', '{}', 60, '{eu,us}')`,
  );
  await client.query(
    `insert into monitor_states (monitor_id, team_id, due_at, status, status_since, pace_checks, pace_turned_at,
       open_incident, revision, last_checked_at)
     values ('plain', 'team', $1, 'degraded', $2, 2, $3, 'degraded', 7, $3), ('voted', 'team', $1, 'up', $2, 0, null, null, 9, $3)`,
    [at(1), at(2), at(3)],
  );
  await client.query(
    `insert into monitor_regions (monitor_id, region, due_at, claimed_by, claimed_until, status, status_since, counted,
       last_checked_at, last_latency_ms, last_error)
     values ('voted', 'eu', $1, 'worker', $2, 'down', $3, $4, $5, 12, 'Refused'),
       ('voted', 'us', null, null, null, 'pending', $3, '{}', null, null, null)`,
    [
      ...[at(4), at(5), at(6)],
      {
        failures: 0,
        recoveries: 1,
        turnedAt: at(7),
        openIncident: 'downtime',
        paceChecks: 3,
        paceTurnedAt: at(8),
      },
      at(9),
    ],
  );
  await migrate(url);

  const { rows } = await client.query('select * from monitor_states order by monitor_id, region');
  const none = {
    failures: 0,
    recoveries: 0,
    turned_at: null,
    latency_streak: 0,
    latency_turned_at: null,
    open_incident: null,
    claimed_by: null,
    claimed_until: null,
    last_latency_ms: null,
    last_error: null,
    changes: [],
  };
  const own = { ...none, region: '', due_at: at(1), status_since: at(2), last_checked_at: at(3) };
  const streak = { latency_streak: 2, latency_turned_at: at(3), open_incident: 'degraded' };
  const failing = { status: 'down', last_checked_at: at(9), last_latency_ms: 12, last_error: 'Refused' };
  const counted = {
    recoveries: 1,
    turned_at: at(7),
    latency_streak: 3,
    latency_turned_at: at(8),
    open_incident: 'downtime',
  };
  expect(rows).toMatchObject([
    { ...own, ...streak, monitor_id: 'plain', status: 'degraded', revision: 7 },
    { ...own, monitor_id: 'voted', status: 'up', revision: 9 },
    {
      ...none,
      ...failing,
      ...counted,
      monitor_id: 'voted',
      region: 'eu',
      team_id: 'team',
      due_at: at(4),
      claimed_by: 'worker',
      claimed_until: at(5),
      status_since: at(6),
    },
    { ...none, monitor_id: 'voted', region: 'us', due_at: null, status: 'pending', last_checked_at: null },
  ]);
});
