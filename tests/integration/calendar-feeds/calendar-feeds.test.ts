import { beforeAll, describe, expect, it } from 'vitest';
import { maintenanceFeed, onCallFeed } from '@/server/api/calendar-feed';
import { db } from '@/server/platform/db';
import { as, httpMonitor, join, type Person, signUp } from '@/tests/support/rest';

const FEEDS = '/api/v1/me/calendar-feeds';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let owner: Person;
let member: Person;
let viewer: Person;
let outsider: Person;
beforeAll(async () => {
  owner = await signUp('Ada');
  outsider = await signUp('Eve');
  await db.team.updateMany({ data: { plan: 'self_hosted' } });
  member = await join(owner, 'member');
  viewer = await join(owner, 'viewer');
});

const create = async (person: Person, body: object) => (await as(person.token)('POST', FEEDS, body)).body;
const read = (url: string, headers?: Record<string, string>) => {
  const answer = url.includes('/api/on-call/') ? onCallFeed : maintenanceFeed;
  return answer(new Request(url, { ...(headers && { headers }) }));
};
const later = (ms: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + ms).toISOString();
const utc = (at: string) => `${at.slice(0, 19).replace(/[-:]/g, '')}Z`;

/** The events of a stream by their ID, each a property by its name, as RFC 5545 has them unfolded and unescaped. */
async function eventsOf(url: string): Promise<Map<string, Record<string, string>>> {
  const text = await (await read(url)).text();
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const lines = text.replaceAll('\r\n ', '').trimEnd().split('\r\n');
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR']);
  const events = new Map<string, Record<string, string>>();
  let event: Record<string, string> = {};
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') event = {};
    const [, name = '', value = ''] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? [];
    expect(name, line).not.toBe('');
    event[name] = value.replace(/\\([\\;,n])/g, (_all, character) => (character === 'n' ? '\n' : character));
    if (line !== 'END:VEVENT') continue;
    for (const needed of ['UID', 'DTSTAMP', 'DTSTART', 'DTEND', 'SUMMARY', 'SEQUENCE'])
      expect(event).toHaveProperty(needed);
    expect(events.has(event.UID ?? ''), `${event.UID} twice`).toBe(false);
    events.set(event.UID ?? '', event);
  }
  return events;
}

describe('a calendar of shifts', () => {
  const layer = (...userIds: string[]) => ({
    name: 'Primary',
    userIds,
    rotation: { unit: 'days', every: 1 },
    startDate: '2026-01-05',
    handoverTime: '08:00',
  });
  const createSchedule = async (...userIds: string[]): Promise<string> => {
    const body = { name: 'Payments', timezone: 'Europe/Berlin', layers: [layer(...userIds)] };
    return (await as(owner.token)('POST', '/api/v1/on-call/schedules', body)).body.schedule.id;
  };

  it('has the shifts of a schedule, or those of one person', async () => {
    const scheduleId = await createSchedule(owner.userId, member.userId);
    const all = await create(viewer, { scheduleId });
    const own = await create(member, {});
    expect(all.feed).toMatchObject({ kind: 'on_call', scheduleId });
    const answer = await read(all.url);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(await answer.text()).toContain('SUMMARY:Ada is on call: Payments');
    const text = await (await read(own.url)).text();
    expect(text).toContain('SUMMARY:On call: Payments');
    expect(text).not.toContain('Ada');
  });

  it('is created, listed and revoked at its former address too', async () => {
    const former = '/api/v1/me/on-call-feeds';
    const { feed, url } = (await as(member.token)('POST', former, {})).body;
    expect((await as(member.token)('GET', former)).body.feeds).toContainEqual(feed);
    expect((await as(member.token)('DELETE', `${former}/${feed.id}`)).status).toBe(200);
    expect((await read(url)).status).toBe(404);
  });

  it("refuses another team's schedule, and a schedule for maintenance", async () => {
    const scheduleId = await createSchedule(owner.userId);
    expect((await as(outsider.token)('POST', FEEDS, { scheduleId })).status).toBe(404);
    const { body } = await as(owner.token)('POST', FEEDS, { kind: 'maintenance', scheduleId });
    expect(body.error.issues[0].path).toBe('scheduleId');
  });
});

describe('a calendar of maintenance', () => {
  const WINDOWS = '/api/v1/maintenance-windows';
  const schedule = async (body: object) => (await as(owner.token)('POST', WINDOWS, body)).body.maintenanceWindow;

  it('has title, description and monitors of each window, in texts that calendars can read', async () => {
    const makeMonitor = (name: string, tags: string[] = []) =>
      as(owner.token)('POST', '/api/v1/monitors', { ...httpMonitor(), name, tags });
    const shop = (await makeMonitor('Shop; main, "EU"')).body.monitor;
    await makeMonitor('Wärme', ['heating']);
    const times = { startsAt: later(DAY_MS), endsAt: later(DAY_MS + HOUR_MS) };
    const words = { title: 'Router; new, faster', description: 'Rack 7\nCall Ada: \\o/' };
    const window = await schedule({ ...times, ...words, monitorIds: [shop.id], tags: ['heating'], isAnnounced: false });
    const { url, feed } = await create(viewer, { kind: 'maintenance' });
    expect(feed).toMatchObject({ kind: 'maintenance', scheduleId: null });
    const event = (await eventsOf(url)).get(`${window.id}@upwatch`);
    expect(event).toMatchObject({
      SUMMARY: words.title,
      DESCRIPTION: `${words.description}\n\nMonitors: Shop; main, "EU", Wärme`,
      DTSTART: utc(times.startsAt),
      DTEND: utc(times.endsAt),
      URL: expect.stringContaining(`/maintenance/${window.id}`),
    });
  });

  it('has an event for each occurrence of a rule, by the clocks of its zone', async () => {
    const startsAt = '2026-01-01T01:30:00Z';
    const times = { startsAt, endsAt: '2026-01-01T02:30:00Z', recurrence: 'FREQ=DAILY', timezone: 'Europe/Berlin' };
    const window = await schedule({ ...times, title: 'Backup' });
    const { url } = await create(owner, { kind: 'maintenance' });
    const found = [...(await eventsOf(url)).values()].filter(({ SUMMARY }) => SUMMARY === 'Backup');
    const query = `from=${later(DAY_MS)}&to=${later(61 * DAY_MS)}`;
    const { occurrences } = (await as(owner.token)('GET', `/api/v1/maintenance-occurrences?${query}`)).body;
    const expected = occurrences.filter(
      (each: { maintenanceWindowId: string }) => each.maintenanceWindowId === window.id,
    );
    expect(expected.length).toBeGreaterThan(58);
    const starts = found.map(({ DTSTART }) => DTSTART);
    expect(starts).toEqual(expect.arrayContaining(expected.map((each: { startsAt: string }) => utc(each.startsAt))));
    expect(found[0]?.DESCRIPTION).toBe('Monitors: all');
  });

  it('has a higher sequence after each change, under the same ID', async () => {
    const window = await schedule({ title: 'Move', startsAt: later(DAY_MS), endsAt: later(2 * DAY_MS) });
    const { url } = await create(owner, { kind: 'maintenance' });
    const eventOf = async () => (await eventsOf(url)).get(`${window.id}@upwatch`);
    const before = await eventOf();
    await db.maintenanceWindow.update({ where: { id: window.id }, data: { createdAt: new Date(Date.now() - 60_000) } });
    const endsAt = later(3 * DAY_MS);
    await as(owner.token)('PUT', `${WINDOWS}/${window.id}`, { endsAt });
    const after = await eventOf();
    expect(after?.DTEND).toBe(utc(endsAt));
    expect(Number(after?.SEQUENCE)).toBeGreaterThan(Number(before?.SEQUENCE));
    await as(owner.token)('DELETE', `${WINDOWS}/${window.id}`);
    expect(await eventOf()).toBeUndefined();
  });

  it('has what is skipped as cancelled, until the skip is undone', async () => {
    const times = { startsAt: later(DAY_MS), endsAt: later(DAY_MS + HOUR_MS), recurrence: 'FREQ=DAILY' };
    const { id } = await schedule({ ...times, title: 'Reboot' });
    const { url } = await create(owner, { kind: 'maintenance' });
    const statusOf = async (days: number) => {
      const start = utc(new Date(Date.parse(times.startsAt) + (days - 1) * DAY_MS).toISOString());
      const events = [...(await eventsOf(url)).values()].filter(({ SUMMARY }) => SUMMARY === 'Reboot');
      return events.filter(({ DTSTART }) => DTSTART === start).map(({ STATUS }) => STATUS);
    };
    const startsAt = new Date(Date.parse(times.startsAt) + DAY_MS).toISOString();
    expect(await statusOf(2)).toEqual([undefined]);
    await as(owner.token)('POST', `${WINDOWS}/${id}/skip`, { startsAt });
    expect([await statusOf(1), await statusOf(2)]).toEqual([[undefined], ['CANCELLED']]);
    await as(owner.token)('POST', `${WINDOWS}/${id}/unskip`, { startsAt });
    expect(await statusOf(2)).toEqual([undefined]);
  });

  it('has nothing of another team', async () => {
    await schedule({ title: 'Secret work', startsAt: later(DAY_MS), endsAt: later(2 * DAY_MS) });
    const { url } = await create(outsider, { kind: 'maintenance' });
    expect((await eventsOf(url)).size).toBe(0);
  });

  it('ends with the membership', async () => {
    const person = await join(owner, 'member');
    const { url } = await create(person, { kind: 'maintenance' });
    expect((await read(url)).status).toBe(200);
    await as(owner.token)('DELETE', `/dashboard/team/members/${person.userId}`);
    expect((await read(url)).status).toBe(404);
  });
});

describe('the address of a calendar', () => {
  it('works until its owner revokes it, and only for its kind', async () => {
    const { feed, url } = await create(viewer, { kind: 'maintenance' });
    expect((await read(url.replace('/api/maintenance/', '/api/on-call/'))).status).toBe(404);
    expect((await as(owner.token)('DELETE', `${FEEDS}/${feed.id}`)).status).toBe(404);
    expect((await as(viewer.token)('DELETE', `${FEEDS}/${feed.id}`)).status).toBe(200);
    expect((await read(url)).status).toBe(404);
  });

  it('is stored as a hash, listed without its token, and not kept by shared caches', async () => {
    const { url } = await create(member, { kind: 'maintenance' });
    const token = url.split('/').at(-1).replace('.ics', '');
    expect(JSON.stringify(await db.calendarFeed.findMany({}))).not.toContain(token);
    expect(JSON.stringify((await as(member.token)('GET', FEEDS)).body)).not.toContain(token);
    expect(
      JSON.stringify(await db.auditEntry.findMany({ where: { action: 'maintenance_feed.create' } })),
    ).not.toContain(token);
    const answer = await read(url);
    expect(answer.headers.get('cache-control')).toBe('private, max-age=60');
    const guess = await read(url.replace(token, 'guess'));
    expect([guess.status, guess.headers.get('cache-control')]).toEqual([404, 'private, no-store']);
  });

  it('is refused beyond twenty of one member, also when they are created at once', async () => {
    const person = await join(owner, 'viewer');
    const answers = await Promise.all(
      Array.from({ length: 22 }, () => as(person.token)('POST', FEEDS, { kind: 'maintenance' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(2);
  });
});
