import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { definitions } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { makeTeam } from '@/tests/integration/checks/monitors';
import { ALL_KINDS, makeCase } from './cases';
import type { HostileServer } from './hostile-server';
import { type QuietTeam, startQuietTeam } from './quiet-team';
import { SEED, servers } from './setup';

const MONITORS = 100;
const INTERVAL_SECONDS = 5;
const WATCHED_MS = 8_000;

let hostile: HostileServer;
let team: QuietTeam;
let noisy: Scheduler | null = null;

beforeAll(async () => {
  if (!servers.hostile || !servers.quiet) throw new Error('The servers were not started.');
  hostile = servers.hostile;
  team = await startQuietTeam(await servers.quiet.open(-1));
}, 60_000);

afterAll(async () => {
  await Promise.all([team.stop(), noisy?.stop(2_000)]);
  await stopListening();
  await Promise.all([servers.hostile?.stop(), servers.quiet?.stop()]);
});

/** Every case whose server floods its monitor. */
const floods = Array.from({ length: ALL_KINDS }, (_, index) => ({ index, each: makeCase(SEED, index) })).flatMap(
  ({ index, each: { subject, answer } }) => {
    const steps = [...(answer?.replies ?? []), ...(answer?.steps ?? [])];
    const isFlood = steps.some((step) => typeof step === 'object' && 'flood' in step);
    return isFlood && 'monitor' in subject ? [{ index, subject }] : [];
  },
);

/** A hundred monitors of one team, due in sequence, each with a server that floods it. */
async function makeFlooded(): Promise<number[]> {
  const teamId = await makeTeam();
  const ports = await Promise.all(floods.slice(0, MONITORS).map(({ index }) => hostile.open(index)));
  const made = Array.from({ length: MONITORS }, (_, count) => {
    const { subject } = floods[count % ports.length] ?? {};
    if (!subject || !('monitor' in subject)) throw new Error('There is no flood.');
    const config = definitions[subject.monitor].schema.parse(
      subject.config(ports[count % ports.length] ?? 0),
    ) as object;
    const dueAt = new Date(Date.now() + (count / MONITORS) * INTERVAL_SECONDS * 1000);
    return db.monitor.create({
      data: {
        id: newId(),
        teamId,
        type: subject.monitor,
        name: 'Flooded',
        config,
        intervalSeconds: INTERVAL_SECONDS,
        states: { create: { teamId, dueAt, statusSince: new Date() } },
        spans: { create: { startedAt: new Date(), status: 'pending' } },
      },
    });
  });
  return (await Promise.all(made)).map(({ num }) => num);
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('checks another team on time while 100 monitors of one team are flooded', async () => {
  expect(floods.length).toBeGreaterThan(30);
  const started = new Date();
  await wait(WATCHED_MS);
  const before = await team.lateness(started);
  const nums = await makeFlooded();
  noisy = new Scheduler({ worker: newId(), region: 'noisy', concurrency: 50 });
  noisy.start();
  await wait(INTERVAL_SECONDS * 1000);
  const from = new Date();
  await wait(WATCHED_MS);
  const beside = await team.lateness(from);
  const flooded = await db.check.count({ where: { at: { gte: from }, monitorNum: { in: nums } } });
  console.log(
    `Alone: p50 ${before.p50} ms, p99 ${before.p99} ms; beside ${flooded} flooded checks: p50 ${beside.p50} ms, p99 ${beside.p99} ms`,
  );
  expect(beside.notUp).toEqual([]);
  expect(flooded).toBeGreaterThan(MONITORS / 2);
  // Other load on the machine affects both; processing a whole flood takes seconds.
  expect(beside.p99).toBeLessThan(before.p99 * 1.5 + 1_000);
}, 90_000);
