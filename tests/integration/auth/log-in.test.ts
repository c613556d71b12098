import { verify } from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';
import { logIn } from '@/server/account/log-in';
import { db } from '@/server/platform/db';
import { kv } from '@/server/platform/kv';
import { rememberAddress, throttlePrefix } from '@/server/trpc/throttle';
import { asPerson, codeOf, join, newEmail, newPerson, outsider, PASSWORD } from './people';

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  return { ...real, verify: vi.fn(real.verify) };
});

const attempt = (email: string, password: string, address?: string) =>
  logIn({ ctx: outsider(address), input: { email, password } });

describe('signing in', () => {
  it('returns the same as signing up', async () => {
    const { user, teamId } = await newPerson();
    const signedIn = await attempt(user.email, PASSWORD);
    expect(signedIn).toMatchObject({ user, teamId, role: 'owner' });
    expect((await asPerson(signedIn)).user.id).toBe(user.id);
  });

  it('returns the same error after the same work, whether the address has an account or not', async () => {
    const { user } = await newPerson();
    const answers: unknown[] = [];
    for (const email of [user.email, newEmail()]) {
      vi.mocked(verify).mockClear();
      const error = await attempt(email, 'wrong password').catch((thrown: unknown) => thrown);
      answers.push(error);
      expect(verify).toHaveBeenCalledTimes(1);
    }
    expect(answers[0]).toMatchObject({ code: 'UNAUTHENTICATED', message: 'Incorrect email or password.' });
    expect(answers[1]).toMatchObject({ code: 'UNAUTHENTICATED', message: 'Incorrect email or password.' });
  });

  it('opens the last used team', async () => {
    const person = await newPerson();
    const host = await newPerson();
    await join(host.teamId ?? '', person, 'viewer');
    expect((await attempt(person.user.email, PASSWORD)).teamId).toBe(person.teamId);
    await db.session.updateMany({ where: { userId: person.user.id }, data: { teamId: host.teamId } });
    expect(await attempt(person.user.email, PASSWORD)).toMatchObject({ teamId: host.teamId, role: 'viewer' });
  });

  it('works for a user without a team', async () => {
    const person = await newPerson();
    await db.team.delete({ where: { id: person.teamId ?? '' } });
    const signedIn = await attempt(person.user.email, PASSWORD);
    expect(signedIn).toMatchObject({ teamId: null, role: null });
    expect((await asPerson(signedIn)).actor).toMatchObject({ team: null, role: null, scopes: [] });
  });

  it('deletes ended sessions of the user', async () => {
    const { user } = await newPerson();
    await db.session.updateMany({ where: { userId: user.id }, data: { expiresAt: new Date(Date.now() - 1) } });
    await attempt(user.email, PASSWORD);
    expect(await db.session.count({ where: { userId: user.id } })).toBe(1);
  });
});

describe('account throttle', () => {
  const tenFailures = (email: string, address?: string) =>
    Promise.all(Array.from({ length: 10 }, () => codeOf(attempt(email, 'wrong password', address))));

  it('rejects the eleventh attempt from unfamiliar addresses, for known and unknown accounts alike', async () => {
    const { user } = await newPerson();
    for (const email of [user.email, newEmail()]) {
      expect(new Set(await tenFailures(email))).toEqual(new Set(['UNAUTHENTICATED']));
      const error = await attempt(email, PASSWORD).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) });
      expect((error as { retryAfterSeconds: number }).retryAfterSeconds).toBeLessThanOrEqual(15 * 60);
    }
  });

  it('accepts the owner from a known address', async () => {
    const { user } = await newPerson();
    await rememberAddress(user.email, '203.0.113.5');
    await tenFailures(user.email);
    expect(await codeOf(attempt(user.email, PASSWORD))).toBe('RATE_LIMITED');
    expect(await codeOf(attempt(user.email, PASSWORD, '203.0.113.5'))).toBe('it succeeded');
  });

  it('counts attempts from a familiar address too', async () => {
    const { user } = await newPerson();
    await rememberAddress(user.email, '203.0.113.6');
    await tenFailures(user.email, '203.0.113.6');
    expect(await codeOf(attempt(user.email, PASSWORD, '203.0.113.6'))).toBe('RATE_LIMITED');
  });

  it('counts concurrent attempts', async () => {
    const { user } = await newPerson();
    const codes = await Promise.all(Array.from({ length: 25 }, () => codeOf(attempt(user.email, 'wrong password'))));
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(10);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(15);
  });

  it('resets after a success', async () => {
    const { user } = await newPerson();
    for (let round = 0; round < 3; round += 1) {
      for (let failure = 0; failure < 5; failure += 1) await codeOf(attempt(user.email, 'wrong password', '192.0.2.1'));
      expect(await codeOf(attempt(user.email, PASSWORD, '192.0.2.1'))).toBe('it succeeded');
    }
  });

  it('ends with its window', async () => {
    const { user } = await newPerson();
    await tenFailures(user.email);
    await db.kvEntry.updateMany({
      where: { key: { startsWith: throttlePrefix(user.email) } },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await codeOf(attempt(user.email, PASSWORD))).toBe('it succeeded');
  });

  it('locks out no one while the store is down', async () => {
    const { user } = await newPerson();
    vi.spyOn(kv, 'incr').mockRejectedValue(new Error('away'));
    vi.spyOn(kv, 'get').mockRejectedValue(new Error('away'));
    expect(await codeOf(attempt(user.email, PASSWORD))).toBe('it succeeded');
  });
});
