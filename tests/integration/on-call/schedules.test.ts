import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { as, join, type Person, signUp } from '@/tests/support/rest';

const SCHEDULES = '/api/v1/on-call/schedules';
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

const layer = (...userIds: string[]) => ({
  name: 'Primary',
  userIds,
  rotation: { unit: 'days', every: 1 },
  startDate: '2026-01-05',
  handoverTime: '08:00',
});
const body = (...userIds: string[]) => ({ name: 'Payments', timezone: 'Europe/Berlin', layers: [layer(...userIds)] });
const create = async (...userIds: string[]): Promise<string> =>
  (await as(owner.token)('POST', SCHEDULES, body(...userIds))).body.schedule.id;
const day = (date: number, hour = '07') => `2026-01-${String(date).padStart(2, '0')}T${hour}:00:00.000Z`;
const cover = (userId: string, startsAt: string, endsAt: string) => ({ userId, startsAt, endsAt });
const onCallAt = async (at: string, id: string) => {
  const { body: answer } = await as(viewer.token)('GET', `/api/v1/on-call?at=${at}`);
  return answer.onCall.find(({ scheduleId }: { scheduleId: string }) => scheduleId === id).shift;
};

describe('a schedule', () => {
  it('says who is on call at a moment, and in a range without gaps', async () => {
    const id = await create(owner.userId, member.userId);
    const shift = { user: { id: owner.userId }, startsAt: day(5), endsAt: day(6) };
    expect(await onCallAt(day(5), id)).toMatchObject(shift);
    expect(await onCallAt(day(5, '12'), id)).toMatchObject(shift);
    const { body: answer } = await as(viewer.token)('GET', `${SCHEDULES}/${id}/timeline?from=${day(5)}&to=${day(8)}`);
    const { final, layers } = answer.timeline;
    expect(final.map(({ user }: { user: { id: string } }) => user.id)).toEqual(
      [owner, member, owner].map((each) => each.userId),
    );
    expect(layers[0].shifts).toEqual(final);
    const { schedule } = (await as(viewer.token)('GET', `${SCHEDULES}/${id}`)).body;
    expect(schedule.nextHandoffAt).toBe(schedule.now.endsAt);
    const { schedule: alone } = (await as(viewer.token)('GET', `${SCHEDULES}/${await create(owner.userId)}`)).body;
    expect(alone).toMatchObject({ now: { user: { id: owner.userId } }, nextHandoffAt: null });
  });

  it.each(['member', 'viewer'])('is not changed by a %s', async (role) => {
    const person = role === 'member' ? member : viewer;
    expect((await as(person.token)('POST', SCHEDULES, body(owner.userId))).status).toBe(403);
    expect((await as(person.token)('DELETE', `${SCHEDULES}/${await create(owner.userId)}`)).status).toBe(403);
  });

  it('rejects a person of another team, with the path of the field', async () => {
    const { status, body: answer } = await as(owner.token)('POST', SCHEDULES, body(owner.userId, outsider.userId));
    expect([status, answer.error.issues[0].path]).toEqual([400, 'layers.0.userIds.1']);
  });

  it('keeps the turns of a person who has left as gaps, and can be edited with them', async () => {
    const person = await join(owner, 'member');
    const id = await create(owner.userId, person.userId);
    await as(owner.token)('DELETE', `/dashboard/team/members/${person.userId}`);
    expect((await onCallAt(day(6), id)).user).toBeNull();
    expect((await onCallAt(day(7), id)).user.id).toBe(owner.userId);
    const layers = [{ ...layer(owner.userId, person.userId), name: 'Renamed' }];
    expect((await as(owner.token)('PUT', `${SCHEDULES}/${id}`, { layers })).status).toBe(200);
  });

  it('refuses layers that change too often, and a long timeline of a stored schedule that does', async () => {
    const restrictions = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '17:00' }];
    const hourly = { ...layer(owner.userId, member.userId), rotation: { unit: 'hours', every: 1 }, restrictions };
    const layers = Array.from({ length: 10 }, () => hourly);
    const { status, body: answer } = await as(owner.token)('POST', SCHEDULES, { ...body(), layers });
    expect([status, answer.error.issues[0].path]).toEqual([400, 'layers']);
    const id = await create(owner.userId);
    await db.onCallSchedule.update({ where: { id }, data: { layers } });
    expect((await as(viewer.token)('GET', `${SCHEDULES}/${id}`)).status).toBe(200);
    const timeline = (to: string) => as(viewer.token)('GET', `${SCHEDULES}/${id}/timeline?from=${day(5)}&to=${to}`);
    expect((await timeline(day(10))).status).toBe(200);
    const long = await timeline(day(20));
    expect([long.status, long.body.error.issues[0].path]).toEqual([400, 'to']);
  });

  it('is limited by the plan', async () => {
    const person = await signUp();
    await db.team.update({ where: { id: person.teamId }, data: { plan: 'free' } });
    expect((await as(person.token)('POST', SCHEDULES, body(person.userId))).status).toBe(201);
    const { status, body: answer } = await as(person.token)('POST', SCHEDULES, body(person.userId));
    expect([status, answer.error.code]).toEqual([402, 'PLAN_LIMIT_REACHED']);
  });
});

describe('an override', () => {
  it('replaces the layers, and is deleted with its person', async () => {
    const person = await join(owner, 'member');
    const id = await create(owner.userId);
    await as(owner.token)('POST', `${SCHEDULES}/${id}/overrides`, cover(person.userId, day(9), day(10)));
    expect(await onCallAt(day(9, '12'), id)).toMatchObject({ user: { id: person.userId }, isOverride: true });
    await as(owner.token)('DELETE', `/dashboard/team/members/${person.userId}`);
    expect((await onCallAt(day(9, '12'), id)).user.id).toBe(owner.userId);
  });

  it('lets a member take a shift and give their own away, but not those of others', async () => {
    const id = await create(owner.userId, member.userId);
    const path = `${SCHEDULES}/${id}/overrides`;
    const take = await as(member.token)('POST', path, cover(member.userId, day(5), day(6)));
    expect(take.status).toBe(201);
    expect((await as(member.token)('POST', path, cover(owner.userId, day(6), day(7)))).status).toBe(201);
    expect((await as(member.token)('POST', path, cover(viewer.userId, day(9), day(10)))).status).toBe(403);
    expect((await as(viewer.token)('POST', path, cover(viewer.userId, day(9), day(10)))).status).toBe(403);
    const others = await as(owner.token)('POST', path, cover(owner.userId, day(11), day(12)));
    expect((await as(member.token)('DELETE', `${path}/${others.body.override.id}`)).status).toBe(403);
    expect((await as(member.token)('DELETE', `${path}/${take.body.override.id}`)).status).toBe(200);
  });

  it('is edited by its person, its creator and admins', async () => {
    const id = await create(owner.userId, member.userId);
    const path = `${SCHEDULES}/${id}/overrides`;
    const add = async (person: Person, ...given: Parameters<typeof cover>) =>
      `${path}/${(await as(person.token)('POST', path, cover(...given))).body.override.id}`;
    const given = await add(member, owner.userId, day(6), day(7));
    const longer = await as(member.token)('PATCH', given, { startsAt: day(6, '05'), reason: 'Vacation' });
    expect([longer.status, longer.body.error?.code]).toEqual([403, 'FORBIDDEN']);
    const shorter = await as(member.token)('PATCH', given, { endsAt: day(6, '12'), reason: 'Vacation' });
    const changed = { user: { id: owner.userId }, startsAt: day(6), endsAt: day(6, '12'), reason: 'Vacation' };
    expect(shorter.body.override).toMatchObject(changed);
    expect((await onCallAt(day(6, '11'), id)).user.id).toBe(owner.userId);
    expect((await onCallAt(day(6, '13'), id)).user.id).toBe(member.userId);
    const taken = await add(member, member.userId, day(9), day(10));
    expect((await as(member.token)('PATCH', taken, { userId: owner.userId })).status).toBe(200);
    expect((await onCallAt(day(9, '12'), id)).user.id).toBe(owner.userId);
    const others = await add(owner, owner.userId, day(11), day(12));
    expect((await as(member.token)('PATCH', others, { userId: member.userId })).status).toBe(403);
    expect((await as(viewer.token)('PATCH', others, { reason: 'Vacation' })).status).toBe(403);
    expect((await as(outsider.token)('PATCH', others, { reason: 'Vacation' })).status).toBe(404);
    expect((await as(owner.token)('PATCH', others, { userId: member.userId })).body.override.user.id).toBe(
      member.userId,
    );
  });

  it('keeps both of two concurrent edits of different fields', async () => {
    const path = `${SCHEDULES}/${await create(owner.userId)}/overrides`;
    const { override } = (await as(owner.token)('POST', path, cover(owner.userId, day(9), day(12)))).body;
    const edits = [{ startsAt: day(10) }, { endsAt: day(11) }, { reason: 'Vacation' }];
    const answers = await Promise.all(edits.map((edit) => as(owner.token)('PATCH', `${path}/${override.id}`, edit)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body: answer } = await as(owner.token)('GET', `${path.replace('overrides', 'timeline')}?from=${day(9)}`);
    expect(answer.timeline.overrides).toMatchObject([{ startsAt: day(10), endsAt: day(11), reason: 'Vacation' }]);
  });

  it.each([
    ['endsAt', { endsAt: day(8) }],
    ['startsAt', { startsAt: day(10) }],
    ['startsAt', { startsAt: '2025-01-01T00:00:00Z' }],
    ['userId', { userId: 'unknown' }],
  ])('rejects an edit that does not fit the stored times or the team, at %s', async (field, edit) => {
    const path = `${SCHEDULES}/${await create(owner.userId)}/overrides`;
    const { override } = (await as(owner.token)('POST', path, cover(owner.userId, day(9), day(10)))).body;
    const { status, body: answer } = await as(owner.token)('PATCH', `${path}/${override.id}`, edit);
    expect([status, answer.error.issues[0].path]).toEqual([400, field]);
    expect((await as(owner.token)('PATCH', `${path}/${override.id}`, {})).status).toBe(400);
  });

  it.each([
    ['ends before it starts', day(10), day(9)],
    ['is longer than 92 days', '2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z'],
  ])('is refused if it %s', async (_name, startsAt, endsAt) => {
    const path = `${SCHEDULES}/${await create(owner.userId)}/overrides`;
    const { body: answer } = await as(owner.token)('POST', path, cover(owner.userId, startsAt, endsAt));
    expect(answer.error.issues[0].path).toBe('endsAt');
  });
});

describe('an escalation policy', () => {
  const POLICIES = '/api/v1/escalation-policies';
  const steps = (id: string, type = 'user') => [{ targets: [{ type, id }], waitMinutes: 5 }];

  it('rejects targets and monitors of other teams, with the paths of the fields', async () => {
    const given = { name: 'Payments', steps: steps(outsider.userId) };
    const { body: answer } = await as(owner.token)('POST', POLICIES, given);
    expect(answer.error.issues[0].path).toBe('steps.0.targets.0');
    const unknown = { name: 'Payments', steps: steps(owner.userId), monitorIds: ['unknown'] };
    expect((await as(owner.token)('POST', POLICIES, unknown)).body.error.issues[0].path).toBe('monitorIds');
  });

  it("refuses a member's contact method as a channel", async () => {
    const method = {
      type: 'discord',
      name: 'push',
      config: { webhookUrl: 'https://discord.com/api/webhooks/1/token' },
    };
    const { contactMethod } = (await as(member.token)('POST', '/api/v1/me/contact-methods', method)).body;
    const given = { name: 'Payments', steps: steps(contactMethod.id, 'channel') };
    expect((await as(owner.token)('POST', POLICIES, given)).status).toBe(400);
  });

  it('reports a conflict to an edit of an outdated version', async () => {
    const { escalationPolicy } = (
      await as(owner.token)('POST', POLICIES, { name: 'Payments', steps: steps(owner.userId) })
    ).body;
    const path = `${POLICIES}/${escalationPolicy.id}`;
    await as(owner.token)('PUT', path, { repeat: 2 });
    const late = await as(owner.token)('PUT', path, { repeat: 3, ifUpdatedAt: escalationPolicy.updatedAt });
    expect(late.body.error.code).toBe('EDIT_CONFLICT');
    expect((await as(outsider.token)('PUT', path, { repeat: 3 })).status).toBe(404);
    expect((await as(member.token)('PUT', path, { repeat: 3 })).status).toBe(403);
  });
});
