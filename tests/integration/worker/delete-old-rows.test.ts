import { expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { deleteOldRows } from '@/server/worker/delete-old-rows';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { keepTestsInOneDay } from '@/tests/support/one-day';
import { rest, signUp } from '@/tests/support/rest';

keepTestsInOneDay();

import { runJob } from '@/tests/support/run-job';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
const run = () => runJob(deleteOldRows, {});

async function addSession(userId: string, ended: { expiresAt: Date; revokedAt?: Date }): Promise<string> {
  const id = newId();
  const refreshTokens = { create: { tokenHash: newId(), expiresAt: ended.expiresAt } };
  await db.session.create({ data: { id, userId, kind: 'tokens', sessionVersion: 1, ...ended, refreshTokens } });
  return id;
}

async function addDelivery(teamId: string, channelId: string, days: number): Promise<string> {
  const id = newId();
  const attempts = { create: { id: newId(), at: daysAgo(days), durationMs: 1 } };
  const data = { id, teamId, channelId, event: 'channel.test', eventKey: id, payload: {}, createdAt: daysAgo(days) };
  await db.delivery.create({ data: { ...data, status: 'delivered', attempts } });
  return id;
}

it('deletes rows past their retention, and nothing else', async () => {
  const { userId, teamId, token } = await signUp();
  const own = await db.session.findFirstOrThrow({ where: { userId } });
  await addSession(userId, { expiresAt: daysAgo(31) });
  await addSession(userId, { expiresAt: daysAgo(-10), revokedAt: daysAgo(31) });
  const ended = await addSession(userId, { expiresAt: daysAgo(29), revokedAt: daysAgo(29) });
  await db.refreshToken.create({ data: { tokenHash: 'old', sessionId: own.id, expiresAt: daysAgo(31) } });

  const body = { type: 'webhook', name: 'Ops', config: { url: 'http://127.0.0.1:9/' } };
  const channelId: string = (await rest('POST', '/dashboard/notification-channels', { token, body })).body.channel.id;
  await addDelivery(teamId, channelId, 91);
  const delivery = await addDelivery(teamId, channelId, 89);

  const mail = (id: string, days: number) => ({
    id,
    to: 'a@example.test',
    subject: '',
    text: '',
    createdAt: daysAgo(days),
  });
  await db.undeliveredMail.createMany({ data: [mail('old', 91), mail('young', 89)] });

  const request = (id: string, expiresAt: Date) => ({
    id,
    operation: 'x',
    bodyHash: 'x',
    lockedUntil: expiresAt,
    expiresAt,
  });
  await db.idempotentRequest.createMany({
    data: [...Array(1_500).keys()].map((n) => request(`old-${n}`, daysAgo(1))).concat(request('young', daysAgo(-1))),
  });

  const link = (tokenHash: string, expiresAt: Date) => ({
    tokenHash,
    userId,
    expiresAt,
    purpose: 'email_change' as const,
  });
  await db.accountLink.createMany({ data: [link('over', daysAgo(0)), link('alive', daysAgo(-1))] });
  const quota = (days: number) => ({ key: `day-${days}`, day: daysAgo(days), sent: 1 });
  await db.mailQuota.deleteMany();
  await db.mailQuota.createMany({ data: [0, 1, 2].map(quota) });
  const stored = (days: number) => ({ key: `day-${days}`, day: daysAgo(days), responses: 1, bytes: 1 });
  await db.idempotencyQuota.createMany({ data: [0, 1, 2].map(stored) });

  const file = (id: string, state: 'ready' | 'running' | 'done', days: number) => ({
    ...{ id, teamId, state, createdAt: daysAgo(days) },
    ...{ authorName: 'Robin', source: 'uptime-kuma', fileName: 'kuma.db', bytes: 1 },
  });
  await db.import.createMany({
    data: [
      file('young', 'ready', 0),
      file('old', 'ready', 2),
      file('young-done', 'done', 29),
      file('old-done', 'done', 31),
      { ...file('stale', 'running', 2.1), draft: 'x' },
      { ...file('young-running', 'running', 1.9), draft: 'x' },
    ],
  });
  const item = { importId: 'stale', position: 0, kind: 'monitor', key: '1', name: 'A' };
  await db.importItem.create({ data: item });
  await db.importPart.create({ data: { importId: 'old', position: 0, data: 'x' } });

  await run();
  await runJob(removeDeleted, {});
  const imports = await db.import.findMany({ orderBy: { id: 'asc' }, include: { items: true } });
  expect(imports.map(({ id, state, draft }) => [id, state, draft])).toEqual([
    ['stale', 'done', null],
    ['young', 'ready', null],
    ['young-done', 'done', null],
    ['young-running', 'running', 'x'],
  ]);
  expect(imports[0]?.items).toMatchObject([{ outcome: 'failed', note: 'The import was not continued.' }]);
  expect((await db.accountLink.findMany()).map(({ tokenHash }) => tokenHash)).toEqual(['alive']);
  expect((await db.mailQuota.findMany()).map(({ key }) => key).sort()).toEqual(['day-0', 'day-1']);
  expect((await db.idempotencyQuota.findMany()).map(({ key }) => key).sort()).toEqual(['day-0', 'day-1']);
  expect((await db.session.findMany({ where: { userId } })).map(({ id }) => id).sort()).toEqual([own.id, ended].sort());
  expect(await db.refreshToken.count({ where: { tokenHash: 'old' } })).toBe(0);
  expect(await db.refreshToken.count()).toBe(2);
  expect((await db.delivery.findMany()).map(({ id }) => id)).toEqual([delivery]);
  expect(await db.deliveryAttempt.count()).toBe(1);
  expect((await db.undeliveredMail.findMany()).map(({ id }) => id)).toEqual(['young']);
  expect((await db.idempotentRequest.findMany()).map(({ id }) => id)).toEqual(['young']);
});

it('deletes invitations 90 days after they expired, also used ones', async () => {
  const { teamId } = await signUp();
  const invitation = (id: string, days: number, usedAt: Date | null) => ({
    ...{ id, teamId, email: 'a@example.test', role: 'member' as const, tokenHash: id, usedAt },
    expiresAt: daysAgo(days),
  });
  await db.invitation.createMany({
    data: [
      ...[invitation('old', 91, null), invitation('old-used', 91, daysAgo(97))],
      ...[invitation('young', 89, null), invitation('young-used', 89, daysAgo(95))],
    ],
  });
  await run();
  const left = await db.invitation.findMany({ orderBy: { id: 'asc' } });
  expect(left.map(({ id }) => id)).toEqual(['young', 'young-used']);
});

it('deletes confirmations after 90 days that no channel and no member of the team uses', async () => {
  const { teamId, email } = await signUp();
  const other = await signUp();
  const channel = { name: 'Mail', type: 'email' as const, config: { to: 'Used@example.test' } };
  await db.channel.create({ data: { id: newId(), teamId, ...channel } });
  const confirmed = (address: string, days: number, of = teamId) => ({
    ...{ teamId: of, address, confirmedAt: daysAgo(days) },
  });
  await db.confirmedRecipient.createMany({
    data: [
      ...[confirmed('used@example.test', 91), confirmed(email, 91), confirmed('young@example.test', 89)],
      ...[confirmed('old@example.test', 91), confirmed('used@example.test', 91, other.teamId)],
    ],
  });
  await run();
  const left = await db.confirmedRecipient.findMany({ orderBy: { address: 'asc' } });
  expect(left.map(({ address }) => address)).toEqual([email, 'used@example.test', 'young@example.test']);
  expect(left.map((each) => each.teamId)).toEqual([teamId, teamId, teamId]);
});

it("deletes audit entries after the plan's retention, and none of the instance", async () => {
  const { teamId } = await signUp();
  const other = await signUp();
  await db.team.update({ where: { id: teamId }, data: { plan: 'free' } });
  await db.team.update({ where: { id: other.teamId }, data: { plan: 'pro' } });
  await db.auditEntry.deleteMany();
  const entry = (id: string, team: string | null, days: number) => ({
    id,
    teamId: team,
    at: daysAgo(days),
    actorKind: 'system' as const,
    action: 'x.y',
    targetType: 'x',
  });
  await db.auditEntry.createMany({
    data: [
      entry('free-young', teamId, 29),
      entry('free-old', teamId, 31),
      entry('pro-young', other.teamId, 179),
      entry('pro-old', other.teamId, 181),
      entry('gone-young', 'team-that-is-gone', 399),
      entry('gone-old', 'team-that-is-gone', 401),
      entry('instance', null, 5_000),
    ],
  });
  await run();
  const left = await db.auditEntry.findMany({ orderBy: { id: 'asc' } });
  expect(left.map(({ id }) => id)).toEqual(['free-young', 'gone-young', 'instance', 'pro-young']);
});
