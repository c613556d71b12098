import { describe, expect, it } from 'vitest';
import { signUp } from '@/server/account/sign-up';
import { db } from '@/server/platform/db';
import { asPerson, codeOf, newEmail, newPerson, outsider, PASSWORD, raced } from './people';

const ctx = outsider();

describe('signing up', () => {
  it('creates one administrator for several concurrent first accounts', async () => {
    expect(await db.user.count()).toBe(0);
    await raced(
      (tx) => tx.$executeRaw`lock table users in exclusive mode`,
      Array.from({ length: 6 }, () => () => newPerson()),
    );
    expect(await db.user.count()).toBe(6);
    expect(await db.user.count({ where: { isAdmin: true } })).toBe(1);
  });

  it('returns an account, a team with its owner, and valid tokens', async () => {
    const email = newEmail();
    const signedIn = await signUp({ ctx, input: { email, password: PASSWORD, name: 'Ada' } });
    expect(signedIn).toMatchObject({ user: { email, name: 'Ada' }, role: 'owner' });
    const { actor } = await asPerson(signedIn);
    expect(actor).toMatchObject({
      user: { id: signedIn.user.id, email, name: 'Ada', isAdmin: false },
      team: { id: signedIn.teamId, name: "Ada's team", plan: 'self_hosted' },
      role: 'owner',
      scopes: ['read', 'write'],
    });
  });

  it('names the team as requested, else after the user, else after the address', async () => {
    const nameOf = async (input: { name?: string; teamName?: string }, email = newEmail()) => {
      const { teamId } = await signUp({ ctx, input: { email, password: PASSWORD, ...input } });
      return (await db.team.findUniqueOrThrow({ where: { id: teamId ?? '' } })).name;
    };
    expect(await nameOf({ name: 'Ada', teamName: 'Engines' })).toBe('Engines');
    expect(await nameOf({ name: '', teamName: '' }, 'grace@example.com')).toBe("grace's team");
  });

  it('stores neither password nor refresh token in plain text', async () => {
    const { user, refreshToken } = await newPerson();
    const row = await db.user.findUniqueOrThrow({
      where: { id: user.id },
      include: { sessions: { include: { refreshTokens: true } } },
    });
    expect(row.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(row)).not.toContain(refreshToken);
    expect(JSON.stringify(row)).not.toContain(PASSWORD);
  });

  it('rejects an address with an account, and leaves nothing behind', async () => {
    const { user } = await newPerson();
    const before = await db.team.count();
    expect(await codeOf(newPerson(user.email))).toBe('ACCOUNT_EXISTS');
    expect(await db.team.count()).toBe(before);
  });

  it('gives an address to one of several concurrent requests', async () => {
    const email = newEmail();
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(newPerson(email))));
    expect(codes.sort()).toEqual([...Array(4).fill('ACCOUNT_EXISTS'), 'it succeeded']);
    expect(await db.user.count({ where: { email } })).toBe(1);
  });
});
