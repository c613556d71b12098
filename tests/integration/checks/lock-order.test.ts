import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordResults } from '@/server/checks/record/record';
import { claimDue } from '@/server/checks/schedule/claim';
import { toPlan } from '@/server/checks/schedule/plan';
import { ANNOUNCE } from '@/server/platform/database/compatibility';
import { db } from '@/server/platform/db';
import type { Monitor } from '@/server/platform/generated/prisma/client';
import { testDatabase } from '@/tests/support/database';
import { until } from '@/tests/support/receivers';
import { makeMonitors, makeTeam } from './monitors';

const WORKER = 'worker';
let client: pg.Client;
let monitors: Monitor[];

beforeAll(async () => {
  client = new pg.Client(testDatabase());
  await client.connect();
  await client.query(`select ${ANNOUNCE}`);
  const made = await makeMonitors(
    await makeTeam(),
    Array.from({ length: 20 }, (_, index) => ({ url: `http://example.test/${index}` })),
  );
  monitors = made.sort((a, b) => (a.id < b.id ? -1 : 1));
});

afterAll(() => client.end());

/** Reverses the order in which a full scan returns the rows. */
async function reverseRows(): Promise<void> {
  for (const { id } of [...monitors].reverse()) {
    await client.query('update monitor_states set revision = revision where monitor_id = $1', [id]);
  }
}

/** Uses another connection: within a transaction the answer would not change. */
async function isWaiting(): Promise<boolean> {
  const waiting = await db.$queryRaw<unknown[]>`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

/** How many states another transaction can lock while `work` waits for the first one. */
async function freeDuring(work: () => Promise<unknown>): Promise<number> {
  await client.query('begin');
  await client.query('select 1 from monitor_states where monitor_id = $1 for update', [monitors[0]?.id]);
  const done = work();
  await until(isWaiting, 5_000, 'The work waiting for the first state');
  const { rowCount } = await client.query('select 1 from monitor_states for update skip locked');
  await client.query('commit');
  await done;
  return rowCount ?? 0;
}

describe('lock order of monitor states', () => {
  it('follows their IDs in results', async () => {
    const claims = new Map(
      (await claimDue(WORKER, 'test', 1_000, 100)).claims.map((claim) => [claim.monitorId, claim]),
    );
    expect(claims.size).toBe(monitors.length);
    await reverseRows();
    const at = new Date();
    const results = [...monitors].reverse().map((monitor) => {
      const finding = { at, observation: null, verdict: { status: 'unknown' as const, error: 'No network' } };
      return { plan: toPlan(monitor), finding, region: 'test', takenAt: at, claim: claims.get(monitor.id) ?? null };
    });
    expect(await freeDuring(() => recordResults(WORKER, results))).toBe(monitors.length);
  });
});
