import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSmtpReceiver } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';

const smtp = await startSmtpReceiver();
// Set before any server code reads its settings.
Object.assign(process.env, { SMTP_URL: smtp.url, AUTH_RATE_LIMIT_PER_MINUTE: '0', APP_URL: 'https://up.example.test' });

const { unsubscribeByMailProgram } = await import('@/server/api/unsubscribe');
const { sendConfirmation } = await import('@/server/notifications/confirmations/send-confirmation');
const { db } = await import('@/server/platform/db');
const { newId } = await import('@/server/platform/ids');
const { queueMonthlyReports } = await import('@/server/summaries/queue-monthly-reports');
const { sendMonthlyReport } = await import('@/server/summaries/send-monthly-report');
const { httpMonitor, join, rest, signUp } = await import('@/tests/support/rest');
type Person = Awaited<ReturnType<typeof signUp>>;

afterAll(() => smtp.close());

const own = '/api/v1/me/monthly-report';

let person: Person;
beforeEach(async () => {
  person = await signUp('Robin');
  await db.team.update({ where: { id: person.teamId }, data: { name: 'Northwind' } });
});
afterEach(async () => {
  await db.membership.updateMany({ data: { monthlyReportSince: null, weeklySummarySince: null } });
  await db.$executeRaw`delete from graphile_worker._private_jobs`;
  smtp.mails.length = 0;
});

const switchTo = (isActive: boolean, token = person.token) => rest('PATCH', own, { token, body: { isActive } });

/** Switches the report on, since long before and with a confirmed address. */
async function subscribe({ teamId, userId, email, token }: Person = person) {
  await db.confirmedRecipient.create({ data: { teamId, address: email } });
  await switchTo(true, token);
  const where = { teamId_userId: { teamId, userId } };
  await db.membership.update({ where, data: { monthlyReportSince: new Date('2026-01-01T00:00:00Z') } });
}

const queueAt = (at: string) => runJob(queueMonthlyReports, {}, { now: new Date(at) });
const queued = () =>
  db.$queryRaw<{ payload: { month: string } }[]>`
    select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'send-monthly-report' order by j.id`;

async function sendQueued() {
  for (const { payload } of await queued()) await runJob(sendMonthlyReport, payload);
  return smtp.mails;
}

const minuteBefore = (at: string) => new Date(Date.parse(at) - 60_000).toISOString();

describe('a monthly report', () => {
  it('is due on the first at 08:00 in the zone of the member, but not before the month has ended in UTC', async () => {
    await subscribe();
    const dueAt = [
      ['Europe/Berlin', '2026-03-01T07:00:00Z', '2026-03-01'],
      ['Europe/Berlin', '2026-04-01T06:00:00Z', '2026-04-01'],
      ['Pacific/Auckland', '2026-05-01T01:00:00Z', '2026-05-01'],
      ['Pacific/Honolulu', '2026-06-01T18:00:00Z', '2026-06-01'],
      [null, '2026-07-01T08:00:00Z', '2026-07-01'],
    ] as const;
    const months: string[] = [];
    for (const [timeZone, at, month] of dueAt) {
      await rest('PATCH', '/dashboard/me', { token: person.token, body: { timeZone } });
      await queueAt(minuteBefore(at));
      expect(await queued(), `before ${at}`).toHaveLength(months.length);
      await queueAt(at);
      await queueAt(at);
      months.push(month);
      expect((await queued()).map(({ payload }) => payload.month).toSorted()).toEqual(months);
    }
  });

  it('is queued once by concurrent workers, and not two days late', async () => {
    const people = [person, ...(await Promise.all(Array.from({ length: 3 }, () => signUp())))];
    for (const each of people) await subscribe(each);
    await queueAt('2026-03-03T08:00:00Z');
    expect(await queued()).toEqual([]);
    await Promise.all(Array.from({ length: 4 }, () => queueAt('2026-03-01T08:00:00Z')));
    expect(await queued()).toHaveLength(people.length);
  });

  it('is not sent to an unconfirmed address, to somebody who left, or after unsubscribing', async () => {
    const leaving = await join(person, 'member');
    const ending = await join(person, 'member');
    const unconfirmed = await join(person, 'member');
    for (const each of [person, leaving, ending, unconfirmed]) await subscribe(each);
    await queueAt('2026-03-01T08:00:00Z');
    expect(await queued()).toHaveLength(4);
    const address = unconfirmed.email;
    await db.confirmedRecipient.delete({ where: { teamId_address: { teamId: person.teamId, address } } });
    await rest('DELETE', `/dashboard/team/members/${leaving.userId}`, { token: leaving.token });
    await switchTo(false, ending.token);
    await sendQueued();
    expect(smtp.mails.map(({ to }) => to)).toEqual([[person.email]]);
  });
});

/** A monitor that was up from the 20th of January to the 10th of March, but for these times. */
async function makeMonitor(name: string, downs: [from: string, to: string][]): Promise<string> {
  const { token, teamId } = person;
  const { monitor } = (await rest('POST', '/api/v1/monitors', { token, body: httpMonitor({ name }) })).body;
  const { num: monitorNum } = await db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
  await db.statusSpan.deleteMany({ where: { monitorNum } });
  const edges = ['2026-01-20T00:00:00Z', ...downs.flat(), '2026-03-10T00:00:00Z'].map((at) => new Date(at));
  await db.statusSpan.createMany({
    data: edges.slice(0, -1).map((startedAt, index) => {
      return { monitorNum, status: index % 2 ? 'down' : 'up', startedAt, endedAt: edges[index + 1] ?? null } as const;
    }),
  });
  await db.incident.createMany({
    data: downs.map(([from, to]) => ({
      id: newId(),
      teamId,
      monitorId: monitor.id,
      type: 'downtime',
      status: 'resolved',
      startedAt: new Date(from),
      resolvedAt: new Date(to),
    })),
  });
  return monitor.id;
}

describe('the mail', () => {
  it('has the figures of the report, with the monitors that missed the objective by most first', async () => {
    await makeMonitor('Blog', [['2026-02-10T10:00:00Z', '2026-02-10T10:10:00Z']]);
    await makeMonitor('API', []);
    await makeMonitor('Shop <b>', [
      // Outside of the month.
      ['2026-01-25T10:00:00Z', '2026-01-25T12:00:00Z'],
      ['2026-02-03T10:00:00Z', '2026-02-03T13:00:00Z'],
      ['2026-02-20T10:00:00Z', '2026-02-20T10:30:00Z'],
    ]);
    await subscribe();
    await queueAt('2026-03-01T08:00:00Z');
    await sendQueued();
    const path = '/api/v1/report?firstDay=2026-02-01&lastDay=2026-02-28';
    const report = (await rest('GET', path, { token: person.token })).body;
    expect(report.monitors.map(({ downSeconds }: { downSeconds: number }) => downSeconds)).toEqual([12_600, 600, 0]);
    const [mail] = smtp.mails;
    expect(mail?.headers.subject).toBe('Northwind: uptime report for February 2026');
    const text = mail?.parts.find(({ type }) => type.startsWith('text/plain'))?.content.replaceAll('\r\n', '\n') ?? '';
    const percent = (ratio: number) => `${Math.floor(ratio * 100_000) / 1000} %`;
    const lines = [
      `Uptime: ${percent(report.overall.ratio)}`,
      'Objective: 99.9 %, met by 2 of 3 monitors',
      'Downtime: 3 h 40 min',
      'Incidents: 3 (3 outages)',
      `Shop <b>: ${percent(report.monitors[0].ratio)}, objective missed (downtime: 3 h 30 min, 2 incidents)`,
      `Blog: ${percent(report.monitors[1].ratio)} (downtime: 10 min, 1 incident)`,
      'API: 100 % (downtime: none)',
    ];
    expect(text.split('\n').filter((line) => lines.includes(line))).toEqual(lines);
    expect(text).toContain('https://up.example.test/reports?period=last-month');
    const html = mail?.parts.find(({ type }) => type.startsWith('text/html'))?.content;
    expect(html).toContain('Shop &lt;b&gt;');
    expect(html).not.toContain('Shop <b>');
  });

  it('names at most 20 monitors, and says how many others there are', async () => {
    await subscribe();
    const { teamId } = person;
    const { monitor } = (
      await rest('POST', '/api/v1/monitors', { token: person.token, body: httpMonitor({ name: 'Copy' }) })
    ).body;
    const { num: _num, ...row } = await db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
    await db.monitor.createMany({
      data: Array.from({ length: 29 }, (_, index) => {
        return { ...row, config: row.config ?? {}, id: newId(), teamId, name: `Copy ${index}` } as never;
      }),
    });
    await queueAt('2026-03-01T08:00:00Z');
    await sendQueued();
    const text = smtp.mails[0]?.parts[0]?.content ?? '';
    expect(text.match(/^Copy.*: no data/gm)).toHaveLength(20);
    expect(text).toContain('10 more monitors are not shown.');
  });

  it('is unsubscribed by one click, without ending the weekly summary', async () => {
    await subscribe();
    const weekly = '/api/v1/me/weekly-summary';
    await rest('PATCH', weekly, { token: person.token, body: { isActive: true } });
    await queueAt('2026-03-01T08:00:00Z');
    const [mail] = await sendQueued();
    const header = mail?.headers['list-unsubscribe']?.slice(1, -1) ?? '';
    const { body } = await rest('GET', `/auth/weekly-summary/${header.split('/').at(-1)}`);
    expect(body.subscription).toEqual({
      kind: 'monthly',
      teamName: 'Northwind',
      address: person.email,
      isActive: true,
    });
    const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await unsubscribeByMailProgram(new Request(header, { method: 'POST', body: form }))).status).toBe(200);
    expect((await rest('GET', own, { token: person.token })).body.monthlyReport).toMatchObject({ isActive: false });
    expect((await rest('GET', weekly, { token: person.token })).body.weeklySummary).toMatchObject({ isActive: true });
    const where = { teamId: person.teamId, action: 'member.monthly_report', actorKind: 'anonymous' } as const;
    expect(await db.auditEntry.count({ where })).toBe(1);
  });
});

describe('the setting', () => {
  it('needs a confirmed address, which is asked for by mail', async () => {
    const { monthlyReport } = (await switchTo(true)).body;
    expect(monthlyReport).toEqual({ isActive: true, address: person.email, isConfirmed: false, timezone: 'UTC' });
    const [job] = await db.$queryRaw<{ payload: unknown }[]>`select payload from graphile_worker._private_jobs`;
    await runJob(sendConfirmation, job?.payload);
    expect(smtp.mails[0]?.headers.subject).toBe('Confirm monthly reports from Northwind');
    const token = /confirm-channel\/(\S+)/.exec(smtp.mails[0]?.parts[0]?.content ?? '')?.[1];
    expect((await rest('POST', `/auth/channel-confirmation/${token}`)).status).toBe(200);
    expect((await rest('GET', own, { token: person.token })).body.monthlyReport).toMatchObject({ isConfirmed: true });
    expect((await rest('PATCH', own, { token: person.token, body: { isActive: 'yes' } })).status).toBe(400);
  });
});
