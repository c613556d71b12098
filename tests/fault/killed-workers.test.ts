import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import type { Monitor } from '@/server/platform/generated/prisma/client';
import { nextDue } from '@/server/time/phase';
import { inNightly } from '@/tests/support/nightly';
import { random } from '@/tests/support/random';
import { type HttpReceiver, until } from '@/tests/support/receivers';
import { type FailingMonitors, makeFailingMonitors } from './failing-monitors';
import { endWorker, startWorker } from './workers';

// Two workers of the built product, one of which is killed repeatedly at random moments. The test compares the database's record (when each check
// began, by the database's clock), the requests to the target, and the notifications; not the speed of this machine.

const MONITORS = inNightly(500, 200);
const INTERVAL_SECONDS = 30;
const KILLS = inNightly(20, 6);
/** The maximum lateness of a check: one interval plus this. */
const GRACE_MS = 5_000;
/** The number of monitors that fail together, small enough not to look like an outage of our own network. */
const FAILING = 20;
const SEED = 20_261_121;
/** The tolerance between the clocks of two processes of one machine, each of which estimates the database's. */
const CLOCK_MS = 250;
const PATIENCE_MS = 60_000;

const chance = random(SEED);
const workers: ChildProcess[] = [];
const kills: number[] = [];
let stage: FailingMonitors;
let target: HttpReceiver;
let receiver: HttpReceiver;
let monitors: Monitor[];
let pathOf: (monitor: Monitor) => string;

/** The workers that hold claims, including those that were just killed. */
async function claimants(): Promise<string[]> {
  const rows = await db.monitorState.findMany({
    where: { claimedBy: { not: null } },
    select: { claimedBy: true },
    distinct: ['claimedBy'],
  });
  return rows.map(({ claimedBy }) => claimedBy ?? '');
}

const known = new Set<string>();

/** Waits until a new worker has claimed monitors, so that two are active, however slow the machine. */
async function untilAnotherClaims(): Promise<void> {
  const fresh = async () => (await claimants()).filter((id) => !known.has(id));
  await until(async () => (await fresh()).length > 0, PATIENCE_MS, 'A claim of the new worker');
  for (const id of await fresh()) known.add(id);
}

/** Kills one of the two at a random moment, and starts another in its place. */
async function killOne(): Promise<void> {
  await sleep(500 + chance() * 3_000);
  const place = chance() < 0.5 ? 0 : 1;
  const worker = workers[place];
  if (!worker) throw new Error('There is no worker to kill.');
  await endWorker(worker, 'SIGKILL');
  kills.push(Date.now());
  workers[place] = startWorker();
  await untilAnotherClaims();
}

beforeAll(async () => {
  stage = await makeFailingMonitors(MONITORS, { intervalSeconds: INTERVAL_SECONDS, patienceMs: PATIENCE_MS });
  ({ target, receiver, monitors, pathOf } = stage);
  for (const _place of [0, 1]) {
    workers.push(startWorker());
    await untilAnotherClaims();
  }
  await stage.untilStatus(monitors, 'up', 'The first check of every monitor');

  const killing = (async () => {
    for (let times = 0; times < KILLS; times += 1) await killOne();
  })();
  await Promise.all([killing, stage.fail(monitors.slice(0, FAILING))]);
  await stage.untilDelivered(FAILING);
  // Both run: checks delayed by the last kill are made up for within the guaranteed time.
  await sleep(GRACE_MS);
  await Promise.all(workers.map((worker) => endWorker(worker, 'SIGTERM')));
}, 400_000);

afterAll(async () => {
  await Promise.all(workers.map((worker) => endWorker(worker, 'SIGKILL')));
  await stage?.close();
});

function groupBy<T, K>(all: T[], keyOf: (each: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group) group.push(each);
    else groups.set(keyOf(each), [each]);
  }
  return groups;
}

/** Each monitor's recorded checks, oldest first. */
async function recorded(): Promise<Map<string, { at: number; endedAt: number }[]>> {
  const rows = await db.check.findMany({ orderBy: { at: 'asc' } });
  const byNum = groupBy(rows, ({ monitorNum }) => monitorNum);
  return new Map(
    monitors.map((monitor) => [
      monitor.id,
      (byNum.get(monitor.num) ?? []).map(({ at, latencyMs }) => ({
        at: at.getTime(),
        endedAt: at.getTime() + (latencyMs ?? 0),
      })),
    ]),
  );
}

describe(`two workers, one of them killed ${KILLS} times while ${MONITORS} monitors run`, () => {
  it('miss no due check by more than one interval and 5 s, and run none twice at the same due time', async () => {
    expect(kills).toHaveLength(KILLS);
    const checks = await recorded();
    /** From the first due time that lies more than `leeway` after one check to the next check. */
    const latenessOf = (monitor: Monitor, leeway: number) => {
      const times = (checks.get(monitor.id) ?? []).map(({ at }) => at);
      return times.slice(1).map((at, index) => {
        const after = new Date((times[index] ?? 0) + leeway);
        return at - nextDue({ monitorNum: monitor.num, intervalSeconds: INTERVAL_SECONDS }, after).getTime();
      });
    };
    // With a clock slightly ahead, a check begins before its due time: that time was not missed.
    const late = monitors.flatMap((monitor) => latenessOf(monitor, CLOCK_MS));
    expect(late.length).toBeGreaterThan(MONITORS);
    expect(Math.max(...late)).toBeLessThanOrEqual(INTERVAL_SECONDS * 1_000 + GRACE_MS);
    // Failed checks are rechecked off schedule.
    const healthy = monitors.slice(FAILING).flatMap((monitor) => latenessOf(monitor, 0));
    expect(Math.min(...healthy)).toBeGreaterThanOrEqual(-CLOCK_MS);
  });

  it('check the target again only if a kill lost the result', async () => {
    const checks = await recorded();
    const asked = groupBy(target.requests, ({ path }) => path);
    const inVain = monitors.flatMap((monitor) => {
      const own = checks.get(monitor.id) ?? [];
      return (asked.get(pathOf(monitor)) ?? []).flatMap(({ at: date }) => {
        const at = date.getTime();
        const isRecorded = own.some((check) => at >= check.at - CLOCK_MS && at <= check.endedAt + CLOCK_MS);
        const isLost = kills.some((kill) => kill >= at && kill - at < INTERVAL_SECONDS * 1_000);
        return isRecorded || isLost ? [] : [`${pathOf(monitor)} at ${date.toISOString()}`];
      });
    });
    expect(inVain).toEqual([]);
  });

  it("open and resolve exactly the incidents that the target's failures cause", async () => {
    const incidents = await db.incident.findMany();
    const expected = monitors.slice(0, FAILING).map(({ id }) => `${id} downtime resolved`);
    expect(incidents.map(({ monitorId, type, status }) => `${monitorId} ${type} ${status}`).sort()).toEqual(
      expected.sort(),
    );
  });

  it('keeps the evidence of both ends of each incident, of checks that counted', async () => {
    const rows = await db.incidentEvidence.findMany({ include: { attempts: true }, orderBy: { id: 'asc' } });
    const kinds = groupBy(rows, ({ incidentId }) => incidentId);
    expect([...kinds.values()].map((each) => each.map(({ kind }) => kind))).toEqual(
      Array.from({ length: FAILING }, () => ['opened', 'resolved']),
    );
    const checks = await recorded();
    for (const { storedAt, attempts } of rows) {
      expect(storedAt !== null || attempts.length > 0).toBe(true);
      for (const { monitorId, at } of attempts) {
        expect(checks.get(monitorId)?.map((check) => check.at)).toContain(at.getTime());
      }
    }
  });

  it('notify of each incident under one webhook-id', async () => {
    const messages = receiver.requests.map(({ headers, body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { incident: { id: string } } };
      return { webhookId: String(headers['webhook-id']), event: `${type} ${data.incident.id}` };
    });
    const incidents = await db.incident.findMany();
    const expected = incidents.flatMap(({ id }) => [`incident.opened ${id}`, `incident.resolved ${id}`]);
    // A receiver recognises a repetition, sent because a kill lost the answer, by its ID.
    const byId = new Map(messages.map(({ webhookId, event }) => [webhookId, event]));
    expect([...byId.values()].sort()).toEqual(expected.sort());
    expect(messages.every(({ webhookId, event }) => byId.get(webhookId) === event)).toBe(true);
    expect(messages.length - byId.size).toBeLessThanOrEqual(KILLS);
  });
});
