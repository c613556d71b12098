import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { fence } from '@/prisma/fence';
import { claimDue } from '@/server/checks/schedule/claim';
import { claim } from '@/server/notifications/deliveries/claim';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { assertCompatible, COMPATIBILITY, OutdatedError } from '@/server/platform/database/compatibility';
import { isDatabaseAway } from '@/server/platform/database/database-away';
import { untilUsable } from '@/server/platform/database/until-usable';
import { db } from '@/server/platform/db';
import { untilOutdated } from '@/server/platform/until-outdated';
import { testDatabase } from '@/tests/support/database';
import { newTeam, newWebhook, openedEvent } from '../notifications/support';

const NEWER = COMPATIBILITY + 1;
const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

/** Fences the database as a version would that migrates it; a lower one than before only in tests. */
async function newest(version: number): Promise<void> {
  await db.compatibility.deleteMany();
  const client = new pg.Client({ connectionString: testDatabase() });
  await client.connect();
  await fence(client, version);
  await client.end();
}

/** Statements by which a worker takes work, as a process sends them that announces `version`, or none. */
async function takeAs(version: number | null): Promise<(string | null)[]> {
  const client = new pg.Client({ connectionString: testDatabase() });
  await client.connect();
  try {
    if (version !== null) await client.query(`set upwatch.compatibility = '${version}'`);
    const taking = [
      `update monitor_states set claimed_by = 'x', claimed_until = now() where false`,
      `update deliveries set next_attempt_at = now(), lease_until = now() where false`,
      `update graphile_worker._private_jobs set attempts = attempts + 1, locked_by = 'x', locked_at = now() where false`,
    ];
    const codes: (string | null)[] = [];
    for (const sql of taking) {
      const error = await failureOf(client.query(sql));
      codes.push(error === null ? null : ((error as pg.DatabaseError).code ?? ''));
    }
    // Claimed work may be finished, and jobs may be queued.
    await client.query(`update deliveries set status = 'delivered', next_attempt_at = null where false`);
    await client.query(`select graphile_worker.add_job('unknown-to-all', job_key => 'one')`);
    await client.query(`delete from graphile_worker._private_jobs`);
    return codes;
  } finally {
    await client.end();
  }
}

afterEach(() => newest(COMPATIBILITY));

describe('a migrated database', () => {
  it('rejects claims of checks, deliveries and jobs of an older version, and of one that announces none', async () => {
    expect(await takeAs(COMPATIBILITY)).toEqual([null, null, null]);
    expect(await takeAs(COMPATIBILITY - 1)).toEqual(['25006', '25006', '25006']);
    expect(await takeAs(null)).toEqual(['25006', '25006', '25006']);
  });

  it('accepts claims of a newer version, so that it can start before it migrates', async () => {
    expect(await takeAs(NEWER)).toEqual([null, null, null]);
  });

  it('rejects claims of this version once a newer one has migrated it, as if it were away', async () => {
    const ctx = await newTeam();
    const { id: channelId } = await newWebhook(ctx, 'https://example.com/a');
    const event = await openedEvent(ctx);
    await db.$transaction((tx) => createDeliveries(tx, [event]));
    await claimDue('worker', 'default', 0, 10);
    await newest(NEWER);
    for (const claiming of [claimDue('worker', 'default', 0, 10), claim(channelId)]) {
      expect(isDatabaseAway(await failureOf(claiming))).toBe(true);
    }
  });
});

describe('a process of an older version', () => {
  it('is refused at its start, with one line', async () => {
    await newest(NEWER);
    await expect(assertCompatible(testDatabase())).rejects.toThrow(OutdatedError);
    const settings = { databaseUrl: testDatabase(), appSecret: 'a secret of this test', appSecretPrevious: undefined };
    const options = { signal: new AbortController().signal, onAway: () => undefined };
    await expect(untilUsable(settings, options)).rejects.toThrow(
      `requires compatibility version ${NEWER}, and this process has ${COMPATIBILITY}. Start the newer version.`,
    );
  });

  it('learns of the newer version when that one migrates', async () => {
    const outdated = untilOutdated();
    // Only a higher version ends it.
    await newest(COMPATIBILITY);
    expect(await Promise.race([outdated, new Promise((resolve) => setTimeout(resolve, 500, 'none'))])).toBe('none');
    await newest(NEWER);
    expect(await outdated).toBeInstanceOf(OutdatedError);
  });
});
