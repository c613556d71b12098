import { describe, expect, it } from 'vitest';
import { logIn } from '@/server/account/log-in';
import { logOut } from '@/server/account/log-out';
import { refresh } from '@/server/account/refresh';
import { db } from '@/server/platform/db';
import { asPerson, codeOf, newPerson, outsider, PASSWORD } from './people';

const ctx = outsider();
const use = (refreshToken: string) => refresh({ ctx, input: { refreshToken } });

describe('refreshing tokens', () => {
  it('returns new tokens of the same session and invalidates the old one', async () => {
    const first = await newPerson();
    const second = await use(first.refreshToken);
    expect(second.refreshToken).toMatch(/^uwr_[\w-]{43}$/);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    const before = await asPerson(first);
    expect((await asPerson(second)).actor.sessionId).toBe(before.actor.sessionId);
    expect((await use(second.refreshToken)).refreshToken).toMatch(/^uwr_/);
  });

  it('ends the whole family when a used token is presented again, access tokens included', async () => {
    const first = await newPerson();
    const other = await logIn({ ctx: outsider(), input: { email: first.user.email, password: PASSWORD } });
    const second = await use(first.refreshToken);
    const third = await use(second.refreshToken);
    expect(await codeOf(use(first.refreshToken))).toBe('UNAUTHENTICATED');
    expect(await codeOf(use(third.refreshToken))).toBe('UNAUTHENTICATED');
    expect(await codeOf(asPerson(third))).toBe('UNAUTHENTICATED');
    expect(await codeOf(use(other.refreshToken))).toBe('it succeeded');
  });

  it('succeeds for one of two concurrent requests, and ends the family', async () => {
    const { refreshToken } = await newPerson();
    const results = await Promise.allSettled([use(refreshToken), use(refreshToken)]);
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(won).toHaveLength(1);
    expect(await codeOf(use(won[0]?.refreshToken ?? ''))).toBe('UNAUTHENTICATED');
  });

  it('rejects unknown and expired tokens, and those of an older session version', async () => {
    expect(await codeOf(use('uwr_unknown'))).toBe('UNAUTHENTICATED');
    const late = await newPerson();
    await db.refreshToken.updateMany({
      where: { session: { userId: late.user.id } },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await codeOf(use(late.refreshToken))).toBe('UNAUTHENTICATED');
    const ended = await newPerson();
    await db.user.update({ where: { id: ended.user.id }, data: { sessionVersion: { increment: 1 } } });
    expect(await codeOf(use(ended.refreshToken))).toBe('UNAUTHENTICATED');
  });

  it('extends the session, and deletes its expired tokens', async () => {
    const person = await newPerson();
    const { sessionId } = (await asPerson(person)).actor;
    const soon = new Date(Date.now() + 60_000);
    await db.session.update({ where: { id: sessionId }, data: { expiresAt: soon } });
    const second = await use(person.refreshToken);
    expect((await db.session.findUniqueOrThrow({ where: { id: sessionId } })).expiresAt.getTime()).toBeGreaterThan(
      Date.now() + 29 * 24 * 60 * 60 * 1000,
    );
    await db.refreshToken.updateMany({
      where: { sessionId, usedAt: { not: null } },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    await use(second.refreshToken);
    expect(await db.refreshToken.count({ where: { sessionId } })).toBe(2);
  });
});

describe('signing out', () => {
  it('ends the session at once, is idempotent, and reveals nothing about unknown tokens', async () => {
    const person = await newPerson();
    const out = () => logOut({ ctx, input: { refreshToken: person.refreshToken } });
    expect(await out()).toEqual({ ok: true });
    expect(await out()).toEqual({ ok: true });
    expect(await codeOf(asPerson(person))).toBe('UNAUTHENTICATED');
    expect(await codeOf(use(person.refreshToken))).toBe('UNAUTHENTICATED');
    expect(await logOut({ ctx, input: { refreshToken: 'uwr_unknown' } })).toEqual({ ok: true });
  });
});
