import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { abortedAt, addHistory, countTouched } from './history';
import { forceDelete, join, personWithEverything, tablesWith } from './support';

const ROWS = 1_200;
const SLICE = 500;

let admin: Person;
beforeAll(async () => {
  admin = await signUp('Ada');
});
afterAll(() => db.team.deleteMany());

describe('removing a member', () => {
  /** A team whose incidents are all assigned to a member. */
  async function teamWithAssignee() {
    const [owner, member] = [await personWithEverything(), await signUp()];
    const { teamId } = owner;
    await join(member, { teamId }, 'member');
    await addHistory(teamId, ROWS);
    await db.incident.updateMany({ where: { teamId }, data: { assigneeId: member.userId } });
    const assigned = () => db.incident.count({ where: { teamId, assigneeId: member.userId } });
    const remove = () => rest('DELETE', `/dashboard/team/members/${member.userId}`, { token: owner.token });
    return { teamId, member, assigned, remove };
  }

  it('leaves the older incidents assigned until the job has run', { timeout: 60_000 }, async () => {
    const { assigned, remove } = await teamWithAssignee();
    const before = await assigned();
    expect((await remove()).status).toBe(200);
    expect(await assigned()).toBe(before - SLICE);
    await runJob(removeDeleted, {}, { signal: abortedAt(2) });
    expect(await assigned()).toBeGreaterThan(0);
    await runJob(removeDeleted, {});
    expect(await assigned()).toBe(0);
  });

  it('leaves the incidents of one who has joined again', { timeout: 60_000 }, async () => {
    const { teamId, member, assigned, remove } = await teamWithAssignee();
    await remove();
    await join(member, { teamId }, 'member');
    const before = await assigned();
    await runJob(removeDeleted, {});
    expect(await assigned()).toBe(before);
    expect(await db.deletedObject.count({ where: { id: member.userId } })).toBe(0);
  });
});

describe('deleting a component', () => {
  it('leaves the incidents that name it to the job, which show it no longer', { timeout: 60_000 }, async () => {
    const { teamId, key, pageId } = await personWithEverything();
    const { incidentIds } = await addHistory(teamId, ROWS);
    const row = { name: 'Phone line', nameKey: 'phone line', position: 1 };
    const { id: componentId } = await db.statusPageComponent.create({
      data: { id: newId(), statusPageId: pageId, ...row },
    });
    await db.incidentComponent.createMany({ data: incidentIds.map((incidentId) => ({ incidentId, componentId })) });
    const named = () => db.incidentComponent.count({ where: { componentId } });
    const path = `/api/v1/incidents/${incidentIds[0]}`;
    expect((await rest('GET', path, { token: key })).body.incident.components).toHaveLength(1);

    const deleted = await rest('DELETE', `/api/v1/status-page-components/${componentId}`, { token: key });
    expect(deleted.status).toBe(200);
    expect(await named()).toBe(ROWS);
    expect((await rest('GET', path, { token: key })).body.incident.components).toEqual([]);
    const list = await rest('GET', '/api/v1/incidents?limit=100', { token: key });
    expect(new Set(list.body.incidents.map((each: { components: [] }) => each.components.length))).toEqual(
      new Set([0]),
    );
    await runJob(removeDeleted, {}, { signal: abortedAt(2) });
    expect(await named()).toBeGreaterThan(0);
    await runJob(removeDeleted, {});
    expect(await named()).toBe(0);
    expect(await tablesWith(componentId)).toEqual({ audit_entries: 1 });
  });
});

describe('sessions of an account', () => {
  const sessionOf = (userId: string, lastUsedAt: Date) => ({
    ...{ id: newId(), userId, kind: 'tokens' as const, sessionVersion: 1, lastUsedAt },
    expiresAt: new Date(Date.now() + 60_000),
  });

  it('keeps at most 1,000 sessions of an account, the last ones used', async () => {
    const { email, password, userId } = await signUp();
    const moments = Array.from({ length: 1_050 }, (_, index) => new Date(Date.now() - (index + 1) * 1_000));
    const rows = moments.map((lastUsedAt) => sessionOf(userId, lastUsedAt));
    await db.session.createMany({ data: rows });
    expect((await rest('POST', '/auth/login', { body: { email, password } })).status).toBe(200);
    const kept = await db.session.findMany({ where: { userId }, select: { id: true } });
    expect(kept).toHaveLength(1_000);
    // The one of signing up, and the new one.
    const ids = new Set(kept.map(({ id }) => id));
    expect(rows.slice(0, 998).every(({ id }) => ids.has(id))).toBe(true);
  });

  it('deletes sessions with many tokens in slices of as many rows as sessions with few', {
    timeout: 60_000,
  }, async () => {
    const touched: number[] = [];
    for (const count of [2, ROWS]) {
      const { userId } = await signUp();
      const session = sessionOf(userId, new Date());
      await db.session.create({ data: session });
      const tokens = Array.from({ length: count }, () => ({
        ...{ tokenHash: newId(), sessionId: session.id, expiresAt: session.expiresAt },
      }));
      await db.refreshToken.createMany({ data: tokens });
      await db.$transaction(async (tx) => {
        const before = await countTouched(tx);
        await tx.user.delete({ where: { id: userId } });
        touched.push((await countTouched(tx)) - before);
      });
      expect(await db.refreshToken.count({ where: { sessionId: session.id } })).toBe(count);
      await runJob(removeDeleted, {});
      expect(await db.refreshToken.count({ where: { sessionId: session.id } })).toBe(0);
    }
    expect(touched[0]).toBeGreaterThan(1);
    expect(touched[1]).toBe(touched[0]);
  });

  it('has deleted the sessions and their tokens when a force delete answers', async () => {
    const { userId } = await signUp();
    const { id: sessionId } = await db.session.findFirstOrThrow({ where: { userId } });
    expect((await forceDelete(admin, userId)).status).toBe(200);
    expect(await db.refreshToken.count({ where: { sessionId } })).toBe(0);
    expect(await tablesWith(sessionId)).toEqual({});
  });
});
