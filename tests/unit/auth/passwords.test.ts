import { verify } from '@node-rs/argon2';
import { expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from '@/server/auth/passwords';

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  return { ...real, verify: vi.fn(real.verify) };
});

it('hashes with argon2id and a salt', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect(await verifyPassword(one, 'correct horse')).toBe(true);
  expect(await verifyPassword(one, 'Correct horse')).toBe(false);
});

it('accepts the same characters in another Unicode normalization form', async () => {
  const composed = await hashPassword('caf\u00e9 au lait');
  expect(await verifyPassword(composed, 'cafe\u0301 au lait')).toBe(true);
});

it('takes as long without an account as with one', async () => {
  const stored = await hashPassword('correct horse');
  vi.mocked(verify).mockClear();
  expect(await verifyPassword(null, 'correct horse')).toBe(false);
  expect(await verifyPassword(stored, 'wrong horse')).toBe(false);
  const cost = (encoded: string | undefined) => encoded?.split('$').slice(0, 4).join('$');
  const [decoy, real] = vi.mocked(verify).mock.calls.map(([encoded]) => cost(String(encoded)));
  expect(decoy).toBe(real);
  expect(vi.mocked(verify)).toHaveBeenCalledTimes(2);
});

it('runs two hashes at once, queues more, and rejects those beyond the queue', async () => {
  let running = 0;
  let most = 0;
  vi.mocked(verify).mockImplementation(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return true;
  });
  const results = await Promise.allSettled(Array.from({ length: 80 }, () => verifyPassword('stored', 'x')));
  expect(most).toBe(2);
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(80 - 66);
  expect(refused[0]?.reason).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
  await expect(verifyPassword('stored', 'x')).resolves.toBe(true);
});
