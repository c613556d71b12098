import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSmtpReceiver } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';

const smtp = await startSmtpReceiver();
// Set before any server code reads its settings.
Object.assign(process.env, { SMTP_URL: smtp.url, AUTH_RATE_LIMIT_PER_MINUTE: '0', APP_URL: 'https://up.example.test' });

const { askToUnsubscribe, unsubscribeByMailProgram } = await import('@/server/api/unsubscribe');
const { readUptime } = await import('@/server/history/monitor/read-uptime');
const { sendConfirmation } = await import('@/server/notifications/confirmations/send-confirmation');
const { db } = await import('@/server/platform/db');
const { newId } = await import('@/server/platform/ids');
const { queueWeeklySummaries } = await import('@/server/summaries/queue-weekly-summaries');
const { sendWeeklySummary } = await import('@/server/summaries/send-weekly-summary');
const { readWeekFigures } = await import('@/server/summaries/week-figures');
const { httpMonitor, join, makeKey, rest, signUp } = await import('@/tests/support/rest');
type Person = Awaited<ReturnType<typeof signUp>>;

afterAll(() => smtp.close());

const own = '/api/v1/me/weekly-summary';
const monday = '2026-03-30';

let person: Person;
beforeEach(async () => {
  person = await signUp('Robin');
  await db.team.update({ where: { id: person.teamId }, data: { name: 'Northwind' } });
});
afterEach(async () => {
  vi.useRealTimers();
  await db.membership.updateMany({ data: { weeklySummarySince: null } });
  await db.$executeRaw`delete from graphile_worker._private_jobs`;
  smtp.mails.length = 0;
});

const setting = async ({ token }: { token: string }) => (await rest('GET', own, { token })).body.weeklySummary;
const switchTo = (isActive: boolean, token = person.token) => rest('PATCH', own, { token, body: { isActive } });

/** Switches the summary on, since a day and with a confirmed address. */
async function subscribe({ teamId, userId, email, token }: Person = person, since = '2026-01-01T00:00:00Z') {
  await db.confirmedRecipient.create({ data: { teamId, address: email } });
  await switchTo(true, token);
  const where = { teamId_userId: { teamId, userId } };
  await db.membership.update({ where, data: { weeklySummarySince: new Date(since) } });
}

const queueAt = (at: string) => runJob(queueWeeklySummaries, {}, { now: new Date(at) });
const queued = () =>
  db.$queryRaw<{ payload: unknown }[]>`
    select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'send-weekly-summary'`;

async function sendQueued() {
  for (const { payload } of await queued()) await runJob(sendWeeklySummary, payload);
  return smtp.mails;
}

const minuteBefore = (at: string) => new Date(Date.parse(at) - 60_000).toISOString();

describe('a weekly summary', () => {
  it('is due on Monday at 08:00 in the zone of the member, over both changes of the clocks', async () => {
    await subscribe();
    const dueAt = [
      ['Europe/Berlin', '2026-03-23T07:00:00Z'],
      ['Europe/Berlin', '2026-03-30T06:00:00Z'],
      ['Europe/Berlin', '2026-10-19T06:00:00Z'],
      ['Europe/Berlin', '2026-10-26T07:00:00Z'],
      ['Asia/Kolkata', '2026-04-06T02:30:00Z'],
      [null, '2026-04-13T08:00:00Z'],
    ] as const;
    let count = 0;
    for (const [timeZone, at] of dueAt) {
      await rest('PATCH', '/dashboard/me', { token: person.token, body: { timeZone } });
      await queueAt(minuteBefore(at));
      expect(await queued(), `before ${at}`).toHaveLength(count);
      await queueAt(at);
      count += 1;
      expect(await queued(), at).toHaveLength(count);
      expect((await queued()).at(-1)?.payload).toMatchObject({ week: at.slice(0, 10), timezone: timeZone ?? 'UTC' });
    }
  });

  it('is queued once by concurrent workers, and not again', async () => {
    const people = [person, ...(await Promise.all(Array.from({ length: 4 }, () => signUp())))];
    for (const each of people) await subscribe(each);
    await Promise.all(Array.from({ length: 4 }, () => queueAt(`${monday}T08:00:00Z`)));
    await queueAt(`${monday}T08:15:00Z`);
    expect(await queued()).toHaveLength(people.length);
    await sendQueued();
    expect(smtp.mails.map(({ to }) => to[0]).toSorted()).toEqual(people.map(({ email }) => email).toSorted());
  });

  it('is neither sent long after its time, nor for a Monday before it was switched on', async () => {
    await subscribe(person, `${monday}T08:00:01Z`);
    await queueAt(`${monday}T09:00:00Z`);
    expect(await queued()).toEqual([]);
    await subscribe(await join(person, 'viewer'));
    await queueAt('2026-04-01T08:00:00Z');
    expect(await queued()).toEqual([]);
    await queueAt('2026-04-01T07:59:00Z');
    expect(await queued()).toHaveLength(1);
  });

  it('is not sent to an unconfirmed address, to somebody who left, or after unsubscribing', async () => {
    const leaving = await join(person, 'member');
    const ending = await join(person, 'member');
    const unconfirmed = await join(person, 'member');
    for (const each of [person, leaving, ending, unconfirmed]) await subscribe(each);
    const address = unconfirmed.email;
    await db.confirmedRecipient.delete({ where: { teamId_address: { teamId: person.teamId, address } } });
    await queueAt(`${monday}T08:00:00Z`);
    expect(await queued()).toHaveLength(3);
    await rest('DELETE', `/dashboard/team/members/${leaving.userId}`, { token: leaving.token });
    await switchTo(false, ending.token);
    await sendQueued();
    expect(smtp.mails.map(({ to }) => to)).toEqual([[person.email]]);
  });
});

/** A monitor that was up in both weeks, but for these stretches. */
async function makeMonitor(name: string, downs: [from: string, to: string][]): Promise<string> {
  const { token } = person;
  const { monitor } = (await rest('POST', '/api/v1/monitors', { token, body: httpMonitor({ name }) })).body;
  const { num: monitorNum } = await db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
  await db.statusSpan.deleteMany({ where: { monitorNum } });
  const edges = ['2026-03-10T00:00:00Z', ...downs.flat(), '2026-04-02T00:00:00Z'].map((at) => new Date(at));
  await db.statusSpan.createMany({
    data: edges.slice(0, -1).map((startedAt, index) => {
      return { monitorNum, status: index % 2 ? 'down' : 'up', startedAt, endedAt: edges[index + 1] ?? null } as const;
    }),
  });
  return monitor.id;
}

async function makeIncident(type: 'downtime' | 'degraded', startedAt: string, acknowledgedAfter: number | null) {
  const start = new Date(startedAt);
  const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
  await db.incident.create({
    data: {
      id: newId(),
      teamId: person.teamId,
      type,
      status: 'resolved',
      startedAt: start,
      resolvedAt: after(7_200),
      acknowledgedAt: acknowledgedAfter === null ? null : after(acknowledgedAfter),
    },
  });
}

describe('the mail', () => {
  it('shows the figures of the API for the week and the week before, without maintenance', async () => {
    const shop = await makeMonitor('Shop <b>', [
      ['2026-03-18T10:00:00Z', '2026-03-18T10:30:00Z'],
      ['2026-03-25T10:00:00Z', '2026-03-25T13:00:00Z'],
    ]);
    await makeMonitor('API', []);
    const { num: monitorNum } = await db.monitor.findUniqueOrThrow({ where: { id: shop } });
    await db.maintenancePeriod.create({
      data: {
        monitorNum,
        windowId: newId(),
        checks: 'continue',
        startsAt: new Date('2026-03-25T12:00:00Z'),
        endsAt: new Date('2026-03-25T14:00:00Z'),
      },
    });
    await makeIncident('downtime', '2026-03-18T10:00:00Z', null);
    await makeIncident('downtime', '2026-03-25T10:00:00Z', 60);
    await makeIncident('degraded', '2026-03-26T10:00:00Z', 600);
    await makeIncident('degraded', '2026-03-27T10:00:00Z', 120);
    await subscribe();
    await queueAt(`${monday}T08:00:00Z`);
    await sendQueued();

    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${monday}T00:00:00Z`) });
    const uptime = await readUptime(db, person.teamId, { id: shop, range: '7d' });
    vi.useRealTimers();
    expect(uptime).toMatchObject({ downSeconds: 7_200, maintenanceSeconds: 7_200 });
    const percent = Math.floor((uptime.ratio ?? 0) * 100_000) / 1000;
    const range = 'from=2026-03-23T00:00:00Z&to=2026-03-30T00:00:00Z';
    const count = async (query: string) => {
      const { body } = await rest('GET', `/api/v1/incident-counts?${query}`, { token: person.token });
      return body.open + body.acknowledged + body.resolved;
    };
    const [mail] = smtp.mails;
    const text = mail?.parts.find(({ type }) => type.startsWith('text/plain'))?.content.replaceAll('\r\n', '\n');
    expect(mail?.headers.subject).toBe('Northwind: your week in Upwatch, 23 – 29 March 2026');
    expect(text?.split('\n')).toEqual(
      expect.arrayContaining([
        `Incidents: ${await count(range)} (week before: 1)`,
        `Outages: ${await count(`${range}&type=downtime`)} (week before: 1)`,
        'Median time to acknowledge: 2 min (week before: none acknowledged)',
        `Shop <b>: ${percent} %, down 2 h (week before: 99.702 %, down 30 min)`,
        'API: 100 %, never down (week before: 100 %, never down)',
      ]),
    );
    expect(text).toContain('Incidents: 3 ');
    expect(text?.indexOf('Shop')).toBeLessThan(text?.indexOf('API:') ?? 0);
    const html = mail?.parts.find(({ type }) => type.startsWith('text/html'))?.content;
    expect(html).toContain('Shop &lt;b&gt;');
    expect(html).not.toContain('Shop <b>');
    expect(html).toContain('Last week');
    expect(html).toContain('overflow-wrap:anywhere');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
  });

  it('can be unsubscribed by its link after a confirmation, and by one click in a mail program', async () => {
    await subscribe();
    await queueAt(`${monday}T08:00:00Z`);
    const [mail] = await sendQueued();
    const header = mail?.headers['list-unsubscribe']?.slice(1, -1) ?? '';
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const token = header.split('/').at(-1);
    expect(header).toBe(`https://up.example.test/api/unsubscribe/${token}`);

    const opened = askToUnsubscribe(new Request(header));
    expect([opened.status, opened.headers.get('location')]).toEqual([
      303,
      `https://up.example.test/unsubscribe/${token}`,
    ]);
    const { body } = await rest('GET', `/auth/weekly-summary/${token}`);
    expect(body.subscription).toEqual({ kind: 'weekly', teamName: 'Northwind', address: person.email, isActive: true });

    const click = () =>
      unsubscribeByMailProgram(
        new Request(header, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }),
      );
    expect([(await click()).status, (await click()).status]).toEqual([200, 200]);
    expect(await setting(person)).toMatchObject({ isActive: false });
    const where = { teamId: person.teamId, action: 'member.weekly_summary', actorKind: 'anonymous' } as const;
    expect(await db.auditEntry.count({ where })).toBe(1);

    const forged = `${header.slice(0, -4)}AAAA`;
    expect((await unsubscribeByMailProgram(new Request(forged, { method: 'POST' }))).status).toBe(404);
  });
});

describe('the setting', () => {
  it("is a member's own, not changed with a key, and needs a confirmed address", async () => {
    const member = await join(person, 'member');
    expect(await setting(member)).toEqual({
      isActive: false,
      address: member.email,
      isConfirmed: false,
      timezone: 'UTC',
    });
    const key = await makeKey(member);
    expect((await switchTo(true, key)).status).toBe(403);
    const { weeklySummary } = (await switchTo(true, member.token)).body;
    expect(weeklySummary).toMatchObject({ isActive: true, isConfirmed: false });
    expect(await setting(person)).toMatchObject({ isActive: false });

    const [job] = await db.$queryRaw<{ payload: unknown }[]>`select payload from graphile_worker._private_jobs`;
    await runJob(sendConfirmation, job?.payload);
    const [mail] = smtp.mails;
    expect(mail?.to).toEqual([member.email]);
    expect(mail?.headers.subject).toBe('Confirm weekly summaries from Northwind');
    const token = /confirm-channel\/(\S+)/.exec(mail?.parts[0]?.content ?? '')?.[1];
    expect((await rest('POST', `/auth/channel-confirmation/${token}`)).status).toBe(200);
    expect(await setting(member)).toMatchObject({ isActive: true, isConfirmed: true });
    expect((await rest('PATCH', own, { token: member.token, body: { isActive: 'yes' } })).status).toBe(400);
  });
});

it('reads a team of 120 monitors in turns, and keeps the 20 with the lowest uptime', async () => {
  const prefix = newId();
  const [from, to] = [new Date('2026-03-23T00:00:00Z'), new Date('2026-03-30T00:00:00Z')];
  await db.$executeRaw`
    insert into monitors (id, team_id, type, name, config, interval_seconds)
    select ${prefix} || lpad(i::text, 3, '0'), ${person.teamId}, 'http', 'Shop ' || i, '{"url":"https://example.com"}', 60 from generate_series(1, 120) i`;
  await db.$executeRaw`
    insert into monitor_states (monitor_id, team_id, last_checked_at) select id, team_id, ${to} from monitors where starts_with(id, ${prefix})`;
  // Down for as many minutes as its number.
  await db.$executeRaw`
    insert into status_spans (monitor_num, started_at, ended_at, status)
    select num, ${from}::timestamptz, ${from}::timestamptz + right(id, 3)::int * interval '1 min', 'down'::monitor_status
    from monitors where starts_with(id, ${prefix})
    union all
    select num, ${from}::timestamptz + right(id, 3)::int * interval '1 min', ${to}::timestamptz, 'up'
    from monitors where starts_with(id, ${prefix})`;
  const team = { id: person.teamId, name: 'Northwind' };
  const previousFrom = new Date('2026-03-16T00:00:00Z');
  const { monitors, others } = await readWeekFigures(db, team, { from, to, previousFrom });
  expect(monitors.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, index) => `Shop ${120 - index}`));
  expect(others).toBe(100);
});
