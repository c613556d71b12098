import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { advanceEscalation } from '@/server/incidents/escalations/advance-escalation';
import { db } from '@/server/platform/db';
import { lockIncident } from '@/server/platform/locks';
import { call, join, type Person, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

const schedules = '/api/v1/on-call/schedules';

let owner: Person;
let mara: Person;

beforeAll(async () => {
  owner = await signUp('Ada');
  await db.team.updateMany({ data: { plan: 'self_hosted', groupSeconds: 0 } });
  mara = await join(owner, 'member');
  for (const [person, name] of [
    [owner, 'Ada'],
    [mara, 'Mara'],
  ] as const) {
    const method = {
      type: 'mattermost',
      name,
      config: { webhookUrl: 'https://chat.example/hooks/a' },
      delayMinutes: 0,
    };
    await call(person, 'POST', '/api/v1/me/contact-methods', method);
  }
});

/** Opens an incident whose escalation reaches the person of a schedule, in which the owner is on call. */
async function openIncident(): Promise<{ incidentId: string; scheduleId: string }> {
  const rotation = { unit: 'weeks', every: 1 };
  const layer = { name: 'All', userIds: [owner.userId], rotation, startDate: '2026-01-05', handoverTime: '08:00' };
  const name = `Backend ${performance.now()}`;
  const { schedule } = await call(owner, 'POST', schedules, { name, layers: [layer] });
  await db.escalationPolicy.deleteMany({});
  const steps = [{ targets: [{ type: 'schedule', id: schedule.id }], waitMinutes: 5 }];
  await call(owner, 'POST', '/api/v1/escalation-policies', { name, steps });
  const { incident } = await call(owner, 'POST', '/api/v1/incidents', { title: 'Orders are late' });
  return { incidentId: incident.id, scheduleId: schedule.id };
}

const cover = (scheduleId: string, startsAt: Date) =>
  call(owner, 'POST', `${schedules}/${scheduleId}/overrides`, {
    userId: mara.userId,
    startsAt: startsAt.toISOString(),
    endsAt: new Date(startsAt.getTime() + 3_600_000).toISOString(),
  });

/** Runs the first step of an escalation, which waits for a lock of its incident until `meanwhile` has ended. Returns the names of its messages. */
async function stepWaitingFor(incidentId: string, meanwhile: () => Promise<unknown>): Promise<string[]> {
  const isWaiting = async () =>
    (await db.$queryRaw<unknown[]>`select 1 from pg_locks where not granted and pid <> pg_backend_pid()`).length > 0;
  let step: Promise<unknown> = Promise.resolve();
  await db.$transaction(
    async (tx) => {
      await lockIncident(tx, owner.teamId, incidentId);
      step = runJob(advanceEscalation, { incidentId });
      while (!(await isWaiting())) await sleep(10);
      await meanwhile();
    },
    { timeout: 20_000 },
  );
  await step;
  const sent = await db.delivery.findMany({
    where: { incidentId, event: 'incident.escalated' },
    select: { channel: { select: { name: true } } },
  });
  return sent.map(({ channel }) => channel.name);
}

it('reaches the person who is on call once it has its locks, after a hand-over while it waited', async () => {
  const { incidentId, scheduleId } = await openIncident();
  const handOverAt = new Date(Date.now() + 1_000);
  await cover(scheduleId, handOverAt);
  const wait = () => sleep(Math.max(0, handOverAt.getTime() - Date.now()) + 100);
  expect(await stepWaitingFor(incidentId, wait)).toEqual(['Mara']);
});

it('reaches the person of an override that was added during a long wait', async () => {
  const { incidentId, scheduleId } = await openIncident();
  const takeOver = async () => {
    await cover(scheduleId, new Date());
    await sleep(2_100);
  };
  expect(await stepWaitingFor(incidentId, takeOver)).toEqual(['Mara']);
});
