import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  advanceEscalation,
  settleEscalation,
  sweepEscalations,
} from '@/server/incidents/escalations/advance-escalation';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { type RunningJobs, startJobs } from '@/server/platform/jobs';
import { MINUTE_MS } from '@/server/time/schema';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { call, httpMonitor, join, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { deliver as sendDue } from '../notifications/support';

// Set before the server reads its settings: more incidents by hand than a team may open in a minute.
let owner: Person;
let mara: Person;
let ops: string;
let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
  owner = await signUp('Ada');
  await db.team.updateMany({ data: { plan: 'self_hosted', groupSeconds: 0 } });
  mara = await join(owner, 'member');
  await db.user.update({ where: { id: mara.userId }, data: { name: 'Mara' } });
  ops = await newChannel('Ops');
  for (const [name, delayMinutes] of [
    ['push', 0],
    ['sms', 3],
  ] as const) {
    await call(mara, 'POST', '/api/v1/me/contact-methods', { ...chat(name), delayMinutes });
  }
});

afterAll(() => receiver.close());

const running: RunningJobs[] = [];
afterEach(() => Promise.all(running.splice(0).map((each) => each.stop())));
beforeEach(async () => {
  await db.escalationPolicy.deleteMany({});
  await db.incident.deleteMany({});
  await db.maintenanceWindow.deleteMany({});
});

const chat = (name: string) => ({
  type: 'mattermost',
  name,
  config: { webhookUrl: `${receiver.url}/hooks/${name}` },
});
const newChannel = async (name: string): Promise<string> =>
  (await call(owner, 'POST', '/dashboard/notification-channels', chat(name))).channel.id;
const user = (person: Person) => ({ type: 'user', id: person.userId });
const channel = (id: string) => ({ type: 'channel', id });
const step = (...targets: { type: string; id: string }[]) => ({ targets, waitMinutes: 5 });
const newPolicy = async (steps: unknown[], changes: Record<string, unknown> = {}) =>
  (await call(owner, 'POST', '/api/v1/escalation-policies', { name: 'Payments', steps, ...changes })).escalationPolicy;
const open = async (changes: Record<string, unknown> = {}): Promise<string> =>
  (await call(owner, 'POST', '/api/v1/incidents', { title: 'Orders are late', ...changes })).incident.id;
const move = (incidentId: string) => runJob(advanceEscalation, { incidentId });
const escalationOf = (incidentId: string) => db.escalation.findUniqueOrThrow({ where: { incidentId } });

/** The messages of an incident's escalation as "<round>:<step> <channel>", in order. */
async function sentOf(incidentId: string): Promise<string[]> {
  const rows = await db.delivery.findMany({
    where: { incidentId, event: 'incident.escalated' },
    include: { channel: { select: { name: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => `${row.eventKey.replace(`escalation:${incidentId}:`, '')} ${row.channel.name}`);
}
const linesOf = async (incidentId: string) => {
  const rows = await db.incidentUpdate.findMany({ where: { incidentId, kind: 'note' }, orderBy: { id: 'asc' } });
  return rows.map(({ message }) => message);
};

/** Sends the due messages of an incident to real receivers, and applies their outcomes to the escalation. */
async function deliver(incidentId: string): Promise<void> {
  const rows = await db.delivery.findMany({ where: { incidentId, status: 'pending' }, orderBy: { id: 'asc' } });
  for (const { channelId } of rows) await sendDue(channelId);
  for (const eventKey of new Set(rows.flatMap((row) => (row.event === 'incident.escalated' ? row.eventKey : [])))) {
    await runJob(settleEscalation, { incidentId, eventKey });
  }
}

/** Has an escalation be so much further in time. */
async function pass(incidentId: string, minutes: number): Promise<void> {
  const row = await escalationOf(incidentId);
  const earlier = (at: Date) => new Date(at.getTime() - minutes * MINUTE_MS);
  const pending = (row.pending as { at: string }[]).map((each) => ({
    ...each,
    at: earlier(new Date(each.at)).toISOString(),
  }));
  await db.escalation.update({
    where: { incidentId },
    data: { nextStepAt: earlier(row.nextStepAt), nextAt: row.nextAt && earlier(row.nextAt), pending },
  });
}

it('notifies a person by their contact methods in order, then the next step, and writes both to the timeline', async () => {
  await newPolicy([step(user(mara)), step(channel(ops))]);
  const id = await open();
  await move(id);
  await deliver(id);
  expect(await sentOf(id)).toEqual(['0:0 push']);
  const { messages } = await call(owner, 'GET', `/api/v1/incidents/${id}/detail`);
  const called = messages.filter(({ event }: { event: string }) => event === 'incident.escalated');
  expect(called.map(({ channelName }: { channelName: string }) => channelName)).toEqual(['Mara']);
  await pass(id, 3);
  await move(id);
  await deliver(id);
  expect(await sentOf(id)).toEqual(['0:0 push', '0:0 sms']);
  await pass(id, 2);
  await move(id);
  await move(id);
  expect(await sentOf(id)).toEqual(['0:0 push', '0:0 sms', '0:1 Ops']);
  await deliver(id);
  await pass(id, 5);
  await move(id);
  expect(await escalationOf(id)).toMatchObject({ status: 'finished', nextAt: null });
  expect(await linesOf(id)).toEqual([
    'Mara was notified by Mattermost, step 1.',
    'Ops was notified, step 2.',
    'The escalation ended: nobody acknowledged the incident.',
  ]);
  const first = await db.delivery.findFirst({
    where: { incidentId: id, event: 'incident.escalated' },
    orderBy: { seq: 'asc' },
  });
  expect(first?.payload).toMatchObject({ data: { escalation: { step: 1, steps: 2, person: 'Mara' } } });
});

it('sends the message of a channel after the one that the incident opened', async () => {
  await newPolicy([step(channel(ops))]);
  const id = await open();
  await move(id);
  const rows = await db.delivery.findMany({ where: { incidentId: id, channelId: ops }, orderBy: { seq: 'asc' } });
  expect(rows.map(({ event }) => event)).toEqual(['incident.opened', 'incident.escalated']);
});

it.each(['acknowledge', 'resolve'])('stops when the incident is %sd', async (verb) => {
  await newPolicy([step(channel(ops)), step(user(mara))], { repeat: 3 });
  const id = await open();
  await move(id);
  await call(mara, 'POST', `/api/v1/incidents/${id}/${verb}`);
  expect(await escalationOf(id)).toMatchObject({ status: 'stopped', nextAt: null });
  await pass(id, 60);
  await move(id);
  expect(await sentOf(id)).toEqual(['0:0 Ops']);
});

it('notifies only the people who were called that the incident is over', async () => {
  await newPolicy([step(user(mara))]);
  const [called, quiet] = [await open(), await open()];
  await move(called);
  for (const id of [called, quiet]) await call(owner, 'POST', `/api/v1/incidents/${id}/resolve`);
  const toldOf = async (incidentId: string) => {
    const rows = await db.delivery.findMany({
      where: { incidentId, channel: { ownerId: mara.userId } },
      include: { channel: { select: { name: true } } },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ event, channel: { name } }) => `${event} ${name}`);
  };
  expect(await toldOf(called)).toEqual(['incident.escalated push', 'incident.resolved push']);
  expect(await toldOf(quiet)).toEqual([]);
});

it('takes a step before an acknowledgment or never, when both happen at once', async () => {
  await newPolicy([step(channel(ops)), step(user(mara))]);
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const id = await open();
      await Promise.all([move(id), call(mara, 'POST', `/api/v1/incidents/${id}/acknowledge`), move(id)]);
      const [row, sent] = [await escalationOf(id), await sentOf(id)];
      expect(row.status).toBe('stopped');
      expect(sent).toEqual(row.step === 0 ? ['0:0 Ops'] : []);
      return row.step;
    }),
  );
  expect(outcomes).toHaveLength(12);
});

it('takes each step once with two workers, whose jobs are lost now and then', { timeout: 60_000 }, async () => {
  await newPolicy([step(channel(ops)), step(user(mara)), step(channel(ops))], { repeat: 1 });
  const ids = await Promise.all(Array.from({ length: 8 }, () => open()));
  const jobs = [advanceEscalation, sweepEscalations];
  running.push(await startJobs({ jobs, concurrency: 3 }), await startJobs({ jobs, concurrency: 3 }));
  const all = ['0:0 Ops', '0:1 push', '0:1 sms', '0:2 Ops', '1:0 Ops', '1:1 push', '1:1 sms', '1:2 Ops'];
  await until(
    async () => {
      const rows = await db.escalation.findMany({ where: { incidentId: { in: ids }, status: 'running' } });
      for (const { incidentId, nextAt } of rows) {
        if (nextAt && nextAt > new Date()) await pass(incidentId, 6);
      }
      // Their jobs wait for a time that was moved, as if they were lost.
      await runJob(sweepEscalations, {});
      return rows.length === 0;
    },
    30_000,
    'The end of all escalations',
  );
  for (const id of ids) expect((await sentOf(id)).sort()).toEqual(all);
});

it('leaves no part of a step behind if its transaction fails', async () => {
  await newPolicy([step(channel(ops))]);
  const id = await open();
  await db.$executeRawUnsafe('alter table escalations add constraint broken check (step < 0) not valid');
  await expect(move(id)).rejects.toThrow();
  await db.$executeRawUnsafe('alter table escalations drop constraint broken');
  expect([await sentOf(id), await linesOf(id)]).toEqual([[], []]);
  await move(id);
  expect(await sentOf(id)).toEqual(['0:0 Ops']);
});

it('resumes an escalation whose job was lost', async () => {
  await newPolicy([step(channel(ops))]);
  const id = await open();
  await db.$executeRawUnsafe('select graphile_worker.remove_job($1)', `escalation:${id}`);
  await pass(id, 1);
  await runJob(sweepEscalations, {});
  running.push(await startJobs({ jobs: [advanceEscalation], concurrency: 1 }));
  await until(async () => (await sentOf(id)).length === 1);
});

it('goes to the next step at once if nobody is on call or can be reached, and says so', async () => {
  const layers = [
    {
      name: 'Later',
      userIds: [mara.userId],
      rotation: { unit: 'weeks', every: 1 },
      startDate: '2100-01-01',
      handoverTime: '08:00',
    },
  ];
  const { schedule } = await call(owner, 'POST', '/api/v1/on-call/schedules', { name: 'Night', layers });
  await newPolicy([step({ type: 'schedule', id: schedule.id }), step(user(owner)), step(channel(ops))]);
  const id = await open();
  await move(id);
  expect(await sentOf(id)).toEqual(['0:2 Ops']);
  await deliver(id);
  expect(await linesOf(id)).toEqual([
    'Nobody is on call in Night. Step 1 reached nobody.',
    'Ada has no contact method. Step 2 reached nobody.',
    'Ops was notified, step 3.',
  ]);
});

it('uses the email address of the account where a person has no contact method, at its present address', async () => {
  const { smtpUrl } = env;
  Object.assign(env, { smtpUrl: 'smtp://127.0.0.1:9' });
  try {
    await newPolicy([step(user(owner)), step(user(owner))]);
    const id = await open();
    await move(id);
    await db.user.update({ where: { id: owner.userId }, data: { email: 'moved@example.test' } });
    // Nothing listens there: the wait starts 2 min after the call.
    await pass(id, 7);
    await move(id);
    expect(await sentOf(id)).toEqual(['0:0 Account email', '0:1 Account email']);
    const methods = await db.channel.findMany({ where: { ownerId: owner.userId } });
    expect(methods.map(({ config }) => config)).toEqual([{ to: 'moved@example.test' }]);
    expect(await linesOf(id)).toContain('Ada has no contact method. Upwatch uses the email address of the account.');
  } finally {
    Object.assign(env, { smtpUrl });
    await db.channel.deleteMany({ where: { ownerId: owner.userId } });
  }
});

it('notifies a person only once if two targets of a step name them', async () => {
  const layers = [
    {
      name: 'Primary',
      userIds: [mara.userId],
      rotation: { unit: 'weeks', every: 1 },
      startDate: '2026-01-05',
      handoverTime: '08:00',
    },
  ];
  const { schedule } = await call(owner, 'POST', '/api/v1/on-call/schedules', { name: 'Day', layers });
  await newPolicy([step({ type: 'schedule', id: schedule.id }, user(mara))]);
  const id = await open();
  await move(id);
  expect(await sentOf(id)).toEqual(['0:0 push']);
});

it('follows the policy as it was when the incident opened', async () => {
  const policy = await newPolicy([step(channel(ops)), step(channel(ops))]);
  const id = await open();
  await call(owner, 'PUT', `/api/v1/escalation-policies/${policy.id}`, { steps: [step(user(mara))] });
  await move(id);
  expect(await sentOf(id)).toEqual(['0:0 Ops']);
  await call(owner, 'DELETE', `/api/v1/escalation-policies/${policy.id}`);
  await deliver(id);
  await pass(id, 5);
  await move(id);
  expect(await sentOf(id)).toEqual(['0:0 Ops', '0:1 Ops']);
});

describe('escalation in maintenance', () => {
  const windows = '/api/v1/maintenance-windows';
  const later = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();

  /** An escalation that is asleep until a minute after the end of the window. */
  async function asleep(changes: Record<string, unknown> = {}) {
    const { monitor } = await call(owner, 'POST', '/api/v1/monitors', { ...httpMonitor(), tags: ['db'] });
    await newPolicy([step(channel(ops))]);
    const id = await open({ monitorId: monitor.id });
    const window = { title: 'Work', startsAt: later(-2), endsAt: later(60), tags: ['db'], ...changes };
    const { maintenanceWindow } = await call(owner, 'POST', windows, window);
    await move(id);
    const { nextAt } = await escalationOf(id);
    // Rules count in seconds.
    expect(Math.abs(Date.parse(maintenanceWindow.endsAt) + MINUTE_MS - Number(nextAt))).toBeLessThan(1000);
    return { id, monitorId: monitor.id as string, path: `${windows}/${maintenanceWindow.id}` };
  }

  /** Checks that an escalation moves within a minute, and by a job that is queued for that. */
  async function expectAwake(id: string): Promise<void> {
    const { nextAt } = await escalationOf(id);
    expect(nextAt?.getTime()).toBeLessThanOrEqual(Date.now() + MINUTE_MS);
    const jobs = await db.$queryRawUnsafe<{ run_at: Date }[]>(
      'select run_at from graphile_worker.jobs where key = $1',
      `escalation:${id}`,
    );
    expect(jobs).toEqual([{ run_at: nextAt }]);
    await pass(id, 2);
    await runJob(sweepEscalations, {});
    running.push(await startJobs({ jobs: [advanceEscalation], concurrency: 1 }));
    await until(async () => (await sentOf(id)).length === 1, 10_000, 'The message of the first step');
    expect(await sentOf(id)).toEqual(['0:0 Ops']);
  }

  type Asleep = Awaited<ReturnType<typeof asleep>>;
  const ways: [string, (held: Asleep) => Promise<unknown>][] = [
    ['is ended early', ({ path }) => call(owner, 'POST', `${path}/end`)],
    ['is deleted', ({ path }) => call(owner, 'DELETE', path)],
    ['is moved to tomorrow', ({ path }) => call(owner, 'PUT', path, { startsAt: later(1440), endsAt: later(1500) })],
    ['no longer covers the monitor', ({ path }) => call(owner, 'PUT', path, { tags: ['web'] })],
    [
      'loses the monitor with its tag',
      ({ monitorId }) => call(owner, 'PUT', `/api/v1/monitors/${monitorId}`, { tags: [] }),
    ],
    [
      'holds a monitor that the incident no longer concerns',
      ({ id }) => call(owner, 'PATCH', `/api/v1/incidents/${id}`, { monitorIds: [] }),
    ],
  ];
  it.each(ways)('goes on within a minute if the window %s', async (_name, change) => {
    const held = await asleep();
    await change(held);
    await expectAwake(held.id);
  });

  it('goes on within a minute if the window that repeats no longer runs by its new rule', async () => {
    const held = await asleep({ recurrence: 'FREQ=DAILY' });
    await call(owner, 'PUT', held.path, { startsAt: later(120), endsAt: later(180) });
    await expectAwake(held.id);
  });

  it('goes on a minute after the new end of a window that was shortened or extended', async () => {
    const { id, path } = await asleep();
    for (const minutes of [30, 90]) {
      const { maintenanceWindow } = await call(owner, 'PUT', path, { endsAt: later(minutes) });
      await move(id);
      const { nextAt } = await escalationOf(id);
      expect(nextAt?.getTime()).toBe(Date.parse(maintenanceWindow.endsAt) + MINUTE_MS);
    }
    expect(await sentOf(id)).toEqual([]);
  });

  it('stays asleep while another window covers the monitor', async () => {
    const { id, path, monitorId } = await asleep();
    const other = await call(owner, 'POST', `${windows}/start`, { minutes: 30, monitorIds: [monitorId] });
    await call(owner, 'POST', `${path}/end`);
    await move(id);
    const { nextAt } = await escalationOf(id);
    expect(nextAt?.getTime()).toBe(Date.parse(other.maintenanceWindow.endsAt) + MINUTE_MS);
  });

  it('sends each step once and within a minute if windows are ended while steps are due', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => asleep()));
    await Promise.all(all.flatMap(({ id, path }) => [move(id), call(owner, 'POST', `${path}/end`), move(id)]));
    await Promise.all(all.map(({ id }) => pass(id, 1)));
    await Promise.all(all.flatMap(({ id }) => [move(id), move(id)]));
    for (const { id } of all) expect(await sentOf(id)).toEqual(['0:0 Ops']);
  });
});

it('skips what was deleted since', async () => {
  const gone = await newChannel('Gone');
  await newPolicy([step(channel(gone)), step(channel(ops))]);
  await call(owner, 'DELETE', `/dashboard/notification-channels/${gone}`);
  const id = await open();
  await move(id);
  expect(await sentOf(id)).toEqual(['0:1 Ops']);
  expect(await linesOf(id)).toContain('A channel of this step was deleted. Step 1 reached nobody.');
});

it('starts none for an incident of a lower severity, or of another team', async () => {
  await newPolicy([step(channel(ops))], { minSeverity: 'critical' });
  const minor = await open({ severity: 'minor' });
  const outsider = await signUp();
  const { incident } = await call(outsider, 'POST', '/api/v1/incidents', { title: 'Elsewhere' });
  expect(await db.escalation.count({ where: { incidentId: { in: [minor, incident.id] } } })).toBe(0);
});

it('refuses a target whose ID belongs to something of another type, and the contact method of a member', async () => {
  const method = await db.channel.findFirstOrThrow({ where: { ownerId: mara.userId } });
  const wrong = [channel(mara.userId), channel(method.id), { type: 'user', id: ops }, { type: 'schedule', id: ops }];
  for (const target of wrong) {
    const body = { name: 'Wrong', steps: [step(channel(ops), target)] };
    const answer = await rest('POST', '/api/v1/escalation-policies', { token: owner.token, body });
    expect(answer.body.error).toMatchObject({ status: 400, issues: [{ path: 'steps.0.targets.1' }] });
  }
});

it('advances the only escalation of a team before the many of another', async () => {
  await newPolicy([step(channel(ops))]);
  const many: string[] = [];
  for (let count = 0; count < 45; count += 1) many.push(await open());
  const quiet = await signUp('Kim');
  await db.team.update({ where: { id: quiet.teamId }, data: { plan: 'self_hosted' } });
  const target = user(quiet);
  await call(quiet, 'POST', '/api/v1/escalation-policies', { name: 'Night', steps: [step(target)] });
  const { incident } = await call(quiet, 'POST', '/api/v1/incidents', { title: 'Orders are late' });
  const jobs = await db.$queryRaw<{ key: string; priority: number }[]>`
    select key, priority from graphile_worker.jobs where task_identifier = 'advance-escalation'`;
  const priorityOf = (id: string | undefined) => jobs.find(({ key }) => key === `escalation:${id}`)?.priority;
  expect([priorityOf(many[0]), priorityOf(many[44]), priorityOf(incident.id)]).toEqual([0, 2, 0]);
  // Its next step, in five minutes, is of a lower priority too.
  await move(many[0] ?? '');
  const [next] = await db.$queryRaw<{ priority: number }[]>`
    select priority from graphile_worker.jobs where key = ${`escalation:${many[0]}`} and run_at > now()`;
  expect(next?.priority).toBeGreaterThanOrEqual(1);
});
