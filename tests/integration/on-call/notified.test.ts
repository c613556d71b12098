import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { settleSends } from '@/server/notifications/deliveries/deliver-channel';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { type RunningJobs, startJobs } from '@/server/platform/jobs';
import { MINUTE_MS } from '@/server/time/schema';
import { jobs } from '@/server/worker/jobs';
import {
  type HttpReceiver,
  type Responder,
  type SmtpReceiver,
  startHttpReceiver,
  startSmtpReceiver,
  until,
} from '@/tests/support/receivers';
import { call, join, type Person, signUp } from '@/tests/support/rest';

// Real workers send the messages of escalations to real receivers.

const WAIT_MS = 5 * MINUTE_MS;

let owner: Person;
let mara: Person;
let ops: string;
const receivers = new Map<string, HttpReceiver>();
const running: RunningJobs[] = [];
const { smtpUrl } = env;
let mail: SmtpReceiver;

beforeAll(async () => {
  mail = await startSmtpReceiver();
  for (const name of ['phone', 'sms', 'ops']) receivers.set(name, await startHttpReceiver());
});
afterAll(() => Promise.all([...receivers.values(), mail].map((each) => each.close())));

beforeEach(async () => {
  owner = await signUp('Ada');
  await db.team.updateMany({ where: { id: owner.teamId }, data: { plan: 'self_hosted', groupSeconds: 0 } });
  mara = await join(owner, 'member');
  await db.user.update({ where: { id: mara.userId }, data: { name: 'Mara' } });
  for (const each of receivers.values()) {
    each.requests.length = 0;
    each.respond(() => ({ status: 200 }));
  }
  mail.mails.length = 0;
  ops = (await call(owner, 'POST', '/dashboard/notification-channels', chat('ops'))).channel.id;
});

afterEach(async () => {
  Object.assign(env, { smtpUrl });
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await settleSends();
  await db.$executeRaw`delete from graphile_worker._private_jobs`;
  await db.incident.deleteMany({});
});

const isCall = ({ body }: { body: string }) => body.includes('step 1') || body.includes('step 2');

function receiverOf(name: string): HttpReceiver {
  const receiver = receivers.get(name);
  if (!receiver) throw new Error(`There is no receiver ${name}.`);
  return receiver;
}

/** Sets the receiver's response to calls. It accepts everything else. */
const respond = (name: string, responder: Responder) =>
  receiverOf(name).respond((request, count) => (isCall(request) ? responder(request, count) : { status: 200 }));

/** Has a receiver answer calls with 200 when the returned function is called. */
function answerLater(name: string): () => void {
  const gate = new EventEmitter();
  const opened = once(gate, 'open');
  respond(name, async () => {
    await opened;
    return { status: 200 };
  });
  return () => gate.emit('open');
}

const chat = (name: string) => ({
  type: 'mattermost',
  name,
  config: { webhookUrl: `${receiverOf(name).url}/hooks/1` },
});
const newMethod = async (name: string, delayMinutes = 0): Promise<string> =>
  (await call(mara, 'POST', '/api/v1/me/contact-methods', { ...chat(name), delayMinutes })).contactMethod.id;
const user = ({ userId }: Person) => ({ type: 'user', id: userId });
const step = (...targets: { type: string; id: string }[]) => ({ targets, waitMinutes: WAIT_MS / MINUTE_MS });

async function open(...steps: unknown[]): Promise<string> {
  await call(owner, 'POST', '/api/v1/escalation-policies', { name: 'Payments', steps });
  return (await call(owner, 'POST', '/api/v1/incidents', { title: 'Orders are late' })).incident.id;
}

async function work(workers = 1): Promise<void> {
  for (let index = 0; index < workers; index += 1) running.push(await startJobs({ jobs, concurrency: 3 }));
}

/** The lines about people, without those of other changes. */
async function linesOf(incidentId: string): Promise<string[]> {
  const rows = await db.incidentUpdate.findMany({ where: { incidentId, kind: 'note' }, orderBy: [{ id: 'asc' }] });
  return rows.map(({ message }) => message);
}

const escalationOf = (incidentId: string) => db.escalation.findUniqueOrThrow({ where: { incidentId } });

async function stepOf(incidentId: string): Promise<number> {
  return (await escalationOf(incidentId)).step;
}

/** Waits for the lines, and for a moment in which a second copy of one would appear. */
async function expectLines(incidentId: string, lines: string[]): Promise<void> {
  await until(async () => (await linesOf(incidentId)).length >= lines.length, 10_000, `Lines: ${lines.join(' ')}`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await linesOf(incidentId)).toEqual(lines);
}

it('says that a person was notified when the provider accepts, and waits from then on', async () => {
  await newMethod('phone');
  const answer = answerLater('phone');
  const id = await open(step(user(mara)), step({ type: 'channel', id: ops }));
  await work();
  await receiverOf('phone').waitFor(1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await linesOf(id)).toEqual([]);
  const called = await escalationOf(id);
  expect(called.nextStepAt.getTime() - called.startedAt.getTime()).toBeGreaterThanOrEqual(WAIT_MS + 2 * MINUTE_MS);
  const acceptedAt = Date.now();
  answer();
  await expectLines(id, ['Mara was notified by Mattermost, step 1.']);
  const { nextStepAt } = await escalationOf(id);
  expect(Math.abs(nextStepAt.getTime() - acceptedAt - WAIT_MS)).toBeLessThan(1_000);
  const line = await db.incidentUpdate.findFirstOrThrow({ where: { incidentId: id, kind: 'note' } });
  expect(Math.abs(line.at.getTime() - acceptedAt)).toBeLessThan(1_000);
});

it('says who could not be reached and why, and begins the next step at once', async () => {
  await newMethod('phone');
  await newMethod('sms', 4);
  for (const name of ['phone', 'sms']) respond(name, () => ({ status: 410 }));
  const id = await open(step(user(mara)), step({ type: 'channel', id: ops }));
  await work();
  await expectLines(id, [
    expect.stringMatching(/^Mara could not be reached \(Mattermost: .*410.*; Mattermost: .*410.*\), step 1\.$/),
    'ops was notified, step 2.',
  ] as string[]);
});

it('uses the next contact method at once if one fails for good', async () => {
  await newMethod('phone');
  await newMethod('sms', 4);
  respond('phone', () => ({ status: 410 }));
  const id = await open(step(user(mara)), step({ type: 'channel', id: ops }));
  await work();
  await expectLines(id, ['Mara was notified by Mattermost, step 1.']);
  expect(receiverOf('sms').requests).toHaveLength(1);
  expect(await stepOf(id)).toBe(0);
});

it('uses the email address of the account at once if every contact method fails for good', async () => {
  Object.assign(env, { smtpUrl: mail.url });
  await db.user.update({ where: { id: mara.userId }, data: { timeZone: 'Asia/Tokyo' } });
  await newMethod('phone');
  respond('phone', () => ({ status: 410 }));
  const id = await open(step(user(mara)), step({ type: 'channel', id: ops }));
  await work();
  await expectLines(id, ['Mara was notified by Email, step 1.']);
  expect(mail.mails.map(({ to }) => to)).toEqual([[mara.email]]);
  const [called] = mail.mails;
  expect(called?.headers.subject).toMatch(/^\[On call\] Incident: Orders are late/);
  for (const { content } of called?.parts ?? []) {
    expect(content).toMatch(/\d\d:\d\d:\d\d GMT\+9/);
    expect(content).toContain('one of your contact methods in');
  }
  expect(await stepOf(id)).toBe(0);
});

it('uses the email address of the account from the start while every contact method is failing', async () => {
  Object.assign(env, { smtpUrl: mail.url });
  const method = await newMethod('phone');
  await db.channel.update({ where: { id: method }, data: { failedAt: new Date(), failingSince: new Date() } });
  respond('phone', () => ({ status: 503 }));
  const id = await open(step(user(mara)), step({ type: 'channel', id: ops }));
  await work();
  await expectLines(id, [
    'Every contact method of Mara is failing. Upwatch uses the email address of the account.',
    'Mara was notified by Email, step 1.',
  ]);
});

it('begins the next step at once where every contact method is failing and there is no mail server', async () => {
  const method = await newMethod('phone');
  await db.channel.update({ where: { id: method }, data: { failedAt: new Date(), failingSince: new Date() } });
  respond('phone', () => ({ status: 503 }));
  const id = await open(step(user(mara)), step({ type: 'channel', id: ops }));
  await work();
  await expectLines(id, ['Every contact method of Mara is failing.', 'ops was notified, step 2.']);
  await receiverOf('phone').waitFor(1);
});

it('waits at most 2 min longer while a receiver hangs', async () => {
  await newMethod('phone');
  const answer = answerLater('phone');
  const id = await open(step(user(mara)), step({ type: 'channel', id: ops }));
  await work();
  await receiverOf('phone').waitFor(1);
  const { nextStepAt, startedAt, nextAt } = await escalationOf(id);
  const waitMs = nextStepAt.getTime() - startedAt.getTime();
  expect(waitMs).toBeGreaterThanOrEqual(WAIT_MS + 2 * MINUTE_MS);
  expect(waitMs).toBeLessThan(WAIT_MS + 2 * MINUTE_MS + 5_000);
  expect(nextAt).toEqual(nextStepAt);
  expect(await linesOf(id)).toEqual([]);
  answer();
});

it('counts what the fallback of a channel accepts', async () => {
  const backup = (await call(owner, 'POST', '/dashboard/notification-channels', { ...chat('sms'), name: 'backup' }))
    .channel;
  await call(owner, 'PUT', `/api/v1/channels/${ops}/fallback`, { fallbackChannelId: backup.id });
  respond('ops', () => ({ status: 410 }));
  const id = await open(step({ type: 'channel', id: ops }), step(user(mara)));
  await work();
  await expectLines(id, [
    expect.stringMatching(/^ops could not be reached \(.*410.*\), step 1\.$/),
    'backup was notified, step 1.',
  ] as string[]);
  expect(await stepOf(id)).toBe(0);
});

it('mails the owners once if nobody of a policy can be reached', async () => {
  Object.assign(env, { smtpUrl: mail.url });
  const layer = { name: 'Later', userIds: [mara.userId], rotation: { unit: 'weeks', every: 1 } };
  const layers = [{ ...layer, startDate: '2100-01-01', handoverTime: '08:00' }];
  const { schedule } = await call(owner, 'POST', '/api/v1/on-call/schedules', { name: 'Night', layers });
  respond('ops', () => ({ status: 410 }));
  const id = await open(step({ type: 'channel', id: ops }), step({ type: 'schedule', id: schedule.id }));
  await work(2);
  const about = () => mail.mails.filter(({ headers }) => headers.subject === 'Nobody was notified: Orders are late');
  await until(() => about().length > 0, 10_000, 'The mail to the owner');
  await db.escalation.update({ where: { incidentId: id }, data: { nextStepAt: new Date(), nextAt: new Date() } });
  await db.$executeRaw`select graphile_worker.add_job('advance-escalation', json_build_object('incidentId', ${id}::text))`;
  await until(async () => (await escalationOf(id)).status === 'finished', 10_000, 'The end of the escalation');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(about().map(({ to }) => to)).toEqual([[owner.email]]);
  expect(about()[0]?.parts[0]?.content).toContain(`/incidents/${id}`);
});

it('mails nobody else while somebody was notified', async () => {
  Object.assign(env, { smtpUrl: mail.url });
  await newMethod('phone');
  const id = await open(step(user(mara)));
  await work();
  await expectLines(id, ['Mara was notified by Mattermost, step 1.']);
  expect((await escalationOf(id)).ownersNotifiedAt).toBeNull();
  expect(mail.mails).toEqual([]);
});

it('writes one line for a person and step with two workers, and names every way that accepted', {
  timeout: 30_000,
}, async () => {
  await newMethod('phone');
  Object.assign(env, { smtpUrl: mail.url });
  await call(mara, 'POST', '/api/v1/me/contact-methods', {
    type: 'email',
    name: 'Mail',
    config: { to: mara.email },
    delayMinutes: 3,
  });
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) ids.push(await open(step(user(mara), { type: 'channel', id: ops })));
  await work(2);
  await until(
    async () => (await Promise.all(ids.map(linesOf))).every((lines) => lines.length === 2),
    15_000,
    'All lines',
  );
  // The second contact method is due.
  for (const incidentId of ids) {
    const { pending } = await escalationOf(incidentId);
    const due = (pending as { at: string }[]).map((each) => ({ ...each, at: new Date().toISOString() }));
    await db.escalation.update({ where: { incidentId }, data: { pending: due, nextAt: new Date() } });
    for (let times = 0; times < 2; times += 1) {
      await db.$executeRaw`select graphile_worker.add_job('advance-escalation', json_build_object('incidentId', ${incidentId}::text))`;
    }
  }
  const expected = ['Mara was notified by Mattermost and Email, step 1.', 'ops was notified, step 1.'];
  const areNamed = async () =>
    (await Promise.all(ids.map(linesOf))).every((lines) => lines.some((line) => line.includes('and Email')));
  await until(areNamed, 15_000, 'The names of both');
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const id of ids) expect((await linesOf(id)).sort()).toEqual(expected);
});

it('says it also where the incident was acknowledged before the provider accepted', async () => {
  await newMethod('phone');
  const answer = answerLater('phone');
  const id = await open(step(user(mara)));
  await work();
  await receiverOf('phone').waitFor(1);
  await call(owner, 'POST', `/api/v1/incidents/${id}/acknowledge`);
  answer();
  await expectLines(id, ['Mara was notified by Mattermost, step 1.']);
  expect((await escalationOf(id)).status).toBe('stopped');
});

it('loses no line if the worker is killed after a provider accepted', { timeout: 60_000 }, async () => {
  await newMethod('phone');
  const id = await open(step(user(mara)));
  const file = fileURLToPath(new URL('call-worker.ts', import.meta.url));
  const worker = spawn(process.execPath, ['--import', 'tsx', file], { stdio: 'inherit' });
  try {
    const accepted = { incidentId: id, event: 'incident.escalated', status: 'delivered' } as const;
    await until(async () => (await db.delivery.count({ where: accepted })) === 1, 30_000, 'The accepted message');
  } finally {
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
  expect(await linesOf(id)).toEqual([]);
  await work();
  await expectLines(id, ['Mara was notified by Mattermost, step 1.']);
});
