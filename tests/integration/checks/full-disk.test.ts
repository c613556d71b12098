import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ready } from '@/server/api/health';
import { startRecordingListening } from '@/server/api/listening';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { makeMonitors, makeTeam, readState } from './monitors';

// Statements that write fail as they do without space on the disk.

const INTERVAL_MS = 5_000;
let target: HttpReceiver;
let scheduler: Scheduler | null = null;

async function fill(): Promise<void> {
  await db.$executeRaw`
    create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file "base/5/1": No space left on device' using errcode = '53100'; end $$`;
  await db.$executeRaw`create trigger full_disk before update on monitor_states for each statement execute function refuse()`;
  await db.$executeRaw`create trigger full_disk before insert or update on listening_spans for each statement execute function refuse()`;
}

const free = () => db.$executeRaw`drop function if exists refuse cascade`;

beforeAll(async () => {
  target = await startHttpReceiver();
});

afterEach(async () => {
  await free();
  await scheduler?.stop(500);
  scheduler = null;
});

afterAll(async () => {
  await stopListening();
  await target.close();
});

describe('full disk of the database', () => {
  it('does not stop checks, whose results count once there is space', async () => {
    const config = { confirm: { failures: 2, recoveries: 1, retryDelayMs: 1_000 } };
    const urls = Array.from({ length: 6 }, (_, index) => ({
      url: `${target.url}/${index}`,
      intervalSeconds: 5,
      config,
    }));
    const monitors = await makeMonitors(await makeTeam(), urls);
    const failing = new Set<string>();
    target.respond(({ path }) => ({ status: failing.has(path) ? 503 : 200 }));
    scheduler = new Scheduler({ worker: newId(), region: 'test', concurrency: 20 });
    scheduler.start();
    const isUp = async () => (await db.monitorState.count({ where: { status: 'up' } })) === monitors.length;
    await until(isUp, 20_000, 'Every monitor being up');

    await fill();
    const filledAt = new Date();
    for (const path of ['/0', '/1', '/2']) failing.add(path);
    await new Promise((resolve) => setTimeout(resolve, 4 * INTERVAL_MS));
    const during = (path: string) => target.requests.filter((each) => each.path === path && each.at > filledAt);
    for (const index of monitors.keys()) expect(during(`/${index}`).length).toBeGreaterThanOrEqual(3);
    // At most the rechecks of a change in addition.
    for (const index of monitors.keys()) expect(during(`/${index}`).length).toBeLessThanOrEqual(8);
    expect(await db.incident.count()).toBe(0);

    const freedAt = new Date();
    await free();
    for (const monitor of monitors.slice(0, 3)) {
      await until(async () => (await readState(monitor.id)).status === 'down', 15_000, 'Down');
    }
    const incidents = await db.incident.findMany();
    expect(incidents.map(({ monitorId }) => monitorId).sort()).toEqual(
      monitors
        .slice(0, 3)
        .map(({ id }) => id)
        .sort(),
    );
    // The true start, of a check that was made without space.
    for (const { startedAt } of incidents) expect(startedAt.getTime()).toBeLessThan(freedAt.getTime() - INTERVAL_MS);
    for (const [index, { num }] of monitors.entries()) {
      const made = during(`/${index}`).filter(({ at }) => at < freedAt).length;
      const kept = () => db.check.count({ where: { monitorNum: num, at: { gt: filledAt, lt: freedAt } } });
      await until(async () => (await kept()) >= made - 1, 10_000, `${made} checks of ${index}`);
      expect(await kept()).toBeLessThanOrEqual(made + 1);
    }
  }, 90_000);

  it('is the reason why a web process is not ready', async () => {
    startRecordingListening();
    await until(async () => (await ready()).status === 200, 5_000, 'Readiness');
    await fill();
    await until(async () => (await ready()).status === 503, 10_000, 'The end of readiness');
    const answer = await ready();
    expect(await answer.json()).toEqual({
      error: { code: 'UNAVAILABLE', status: 503, message: 'The disk of the database is full. Try again later.' },
    });
    await free();
    await until(async () => (await ready()).status === 200, 10_000, 'Readiness');
  }, 40_000);
});
