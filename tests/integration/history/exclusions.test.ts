import { beforeAll, describe, expect, it } from 'vitest';
import { readKnown } from '@/server/history/read-known';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const iso = (hours: number) => ago(hours).toISOString();

let person: Person;
let outsider: Person;
let readKey: string;
beforeAll(async () => {
  person = await signUp('Kim');
  outsider = await signUp();
  readKey = await makeKey(person, ['read']);
});

/** A paused monitor that was up, down from 10 to 6 hours ago, and up until an hour ago. */
async function makeMonitor(): Promise<string> {
  const { token } = person;
  const { monitor } = (await rest('POST', '/api/v1/monitors', { token, body: httpMonitor() })).body;
  await rest('PUT', `/api/v1/monitors/${monitor.id}`, { token, body: { isActive: false } });
  const { num: monitorNum } = await db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
  await db.statusSpan.deleteMany({ where: { monitorNum } });
  const starts = [
    ['up', 20],
    ['down', 10],
    ['up', 6],
    ['paused', 1],
  ] as const;
  await db.statusSpan.createMany({
    data: starts.map(([status, hours], index) => {
      const next = starts[index + 1];
      return { monitorNum, status, startedAt: ago(hours), endedAt: next ? ago(next[1]) : null };
    }),
  });
  return monitor.id;
}

const path = (id: string) => `/api/v1/monitors/${id}/exclusions`;
const exclude = (id: string, body: Record<string, unknown>, token = person.token) =>
  rest('POST', path(id), { token, body: { reason: 'Fire drill', ...body } });
const uptimeOf = async (id: string) =>
  (await rest('GET', `/api/v1/monitors/${id}/uptime?range=24h`, { token: person.token })).body.uptime;
const hours = (seconds: number) => Math.round(seconds / 36) / 100;

describe('excluding time', () => {
  it('leaves it out of uptime at once, counts overlaps once, and records the author and reason', async () => {
    const id = await makeMonitor();
    expect(hours((await uptimeOf(id)).downSeconds)).toBe(4);
    const { status, body } = await exclude(id, { from: iso(9), to: iso(7) });
    expect(status).toBe(201);
    expect(body.exclusion).toMatchObject({ monitorId: id, reason: 'Fire drill', author: 'Kim' });
    await exclude(id, { from: iso(8), to: iso(5) });
    const uptime = await uptimeOf(id);
    expect([uptime.upSeconds, uptime.downSeconds, uptime.excludedSeconds].map(hours)).toEqual([14, 1, 4]);
    expect(uptime.ratio).toBeCloseTo(14 / 15, 3);
    const { exclusions } = (await rest('GET', path(id), { token: readKey })).body;
    expect(exclusions).toHaveLength(2);
    expect(exclusions[1]).toEqual(body.exclusion);
    const { body: detail } = await rest('GET', `/api/v1/monitors/${id}/detail?range=24h`, { token: person.token });
    expect(detail.chart.exclusions).toHaveLength(2);
    expect(detail.uptimes[0].excludedSeconds).toBeCloseTo(uptime.excludedSeconds, 1);
    expect(detail.days).toHaveLength(90);
    expect(detail.days[0]).toBeNull();
    expect(detail.days.slice(-2)).toContain('down');
  });

  it('has a limit, which holds for concurrent requests and frees up after an undo', async () => {
    const id = await makeMonitor();
    const day = (number: number) => new Date(Date.now() - (number + 2) * 24 * HOUR_MS);
    const row = { teamId: person.teamId, monitorId: id, reason: 'Fire drill', authorName: 'Kim' };
    await db.uptimeExclusion.createMany({
      data: Array.from({ length: 998 }, (_, number) => {
        return { ...row, id: newId(), startsAt: day(number + 1), endsAt: day(number) };
      }),
    });
    const { exclusion } = (await exclude(id, { from: iso(9), to: iso(8) })).body;
    const many = () => Promise.all(Array.from({ length: 8 }, () => exclude(id, { from: iso(7), to: iso(6) })));
    const answers = await many();
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(402)]);
    expect(answers.find(({ status }) => status === 402)?.body.error).toEqual({
      code: 'PLAN_LIMIT_REACHED',
      status: 402,
      message: 'A monitor can have at most 1000 exclusions. Replace several with a longer one.',
    });
    expect((await rest('DELETE', `${path(id)}/${exclusion.id}`, { token: person.token })).status).toBe(200);
    expect((await many()).filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await db.uptimeExclusion.count({ where: { monitorId: id } })).toBe(1_000);
  });

  it('has a limit for all monitors of a team together', async () => {
    const id = await makeMonitor();
    const present = await db.uptimeExclusion.count({ where: { teamId: person.teamId } });
    await db.$executeRaw`
      insert into uptime_exclusions (id, team_id, monitor_id, starts_at, ends_at, reason, author_name)
      select left(gen_random_uuid()::text, 26), ${person.teamId}, ${id}, now() - interval '2 days', now() - interval '1 day', 'Many', 'Kim'
      from generate_series(1, 9999 - ${present}::int)`;
    // A different monitor than that of the exclusions.
    const other = await makeMonitor();
    const answers = await Promise.all(Array.from({ length: 4 }, () => exclude(other, { from: iso(7), to: iso(6) })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 402, 402, 402]);
    expect(answers.find(({ status }) => status === 402)?.body.error.message).toBe(
      'A team can have at most 10000 exclusions. Replace several with a longer one.',
    );
    await db.uptimeExclusion.deleteMany({ where: { reason: 'Many' } });
  });

  it('returns exclusions of the requested time only', async () => {
    const id = await makeMonitor();
    const monitor = await db.monitor.findUniqueOrThrow({ where: { id } });
    const stretches = [
      [12, 10],
      [11, 7],
      [8, 6],
      [6, 5],
      [2, 1],
    ] as const;
    for (const [from, to] of stretches) await exclude(id, { from: iso(from), to: iso(to) });
    const asked = [
      { num: monitor.num, from: ago(9.8), to: ago(7.5), grids: [] },
      { num: monitor.num, from: ago(7.5), to: ago(6.2), grids: [] },
    ];
    const known = (await readKnown(db, [{ ...monitor, lastCheckedAt: null }], asked)).get(monitor.num);
    const found = known?.exclusions.map(({ from, to }) =>
      [from, to].map((at) => Math.round((Date.now() - at.getTime()) / HOUR_MS)),
    );
    expect(found?.toSorted(([a = 0], [b = 0]) => b - a)).toEqual([
      [11, 7],
      [8, 6],
    ]);
  });

  it('can be undone once', async () => {
    const id = await makeMonitor();
    const { exclusion } = (await exclude(id, { from: iso(9), to: iso(7) })).body;
    const remove = () => rest('DELETE', `${path(id)}/${exclusion.id}`, { token: person.token });
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect(await uptimeOf(id)).toMatchObject({ excludedSeconds: 0 });
  });

  it('invalidates the roll-ups of its days', async () => {
    const id = await makeMonitor();
    const { num } = await db.monitor.findUniqueOrThrow({ where: { id } });
    const from = iso(9);
    await exclude(id, { from, to: iso(7) });
    const stale = await db.staleRollUp.findUniqueOrThrow({ where: { monitorNum: num } });
    expect(stale.hour).toBe(Math.floor(Date.parse(from) / HOUR_MS));
  });

  it('returns NOT_FOUND for a monitor deleted meanwhile', async () => {
    const id = await makeMonitor();
    const asked = await db.$transaction(
      async (tx) => {
        await tx.monitor.delete({ where: { id } });
        const answer = exclude(id, { from: iso(9), to: iso(7) });
        const waiting = () => db.$queryRaw<unknown[]>`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1);
        return { answer };
      },
      { timeout: 15_000 },
    );
    expect((await asked.answer).status).toBe(404);
  });

  it.each([
    ['a period that ends before it starts', { from: iso(7), to: iso(9) }, 'to'],
    ['a period in the future', { from: iso(7), to: iso(-1) }, 'to'],
    ['more than a year', { from: iso(367 * 24), to: iso(1) }, 'to'],
    ['no reason', { from: iso(9), to: iso(7), reason: ' ' }, 'reason'],
    ['no time', { from: 'yesterday', to: iso(7) }, 'from'],
  ])('rejects %s', async (_name, body, field) => {
    const answer = await exclude(await makeMonitor(), body);
    expect([answer.status, answer.body.error.issues[0].path]).toEqual([400, field]);
  });

  it('allows members of its team who may write', async () => {
    const id = await makeMonitor();
    const body = { from: iso(9), to: iso(7) };
    const { exclusion } = (await exclude(id, body)).body;
    expect((await exclude(id, body, outsider.token)).status).toBe(404);
    expect((await exclude(id, body, readKey)).status).toBe(403);
    expect((await rest('GET', path(id), { token: outsider.token })).status).toBe(404);
    const other = await makeMonitor();
    expect((await rest('DELETE', `${path(other)}/${exclusion.id}`, { token: person.token })).status).toBe(404);
    expect((await rest('DELETE', `${path(id)}/${exclusion.id}`, { token: outsider.token })).status).toBe(404);
    expect(await db.uptimeExclusion.count({ where: { id: exclusion.id } })).toBe(1);
  });
});
