import { describe, expect, it, vi } from 'vitest';
import { makeKey, rest, signUp } from '@/tests/support/rest';

// Before the server's settings are read: a limit that a test can reach.
vi.hoisted(() => {
  process.env.RATE_LIMIT_PER_MINUTE = '120';
});

describe('requests are limited', () => {
  it('per credential, with the documented headers', async () => {
    const { headers } = await rest('GET', '/api/v1/monitors', { token: await makeKey(await signUp()) });
    expect(headers.get('ratelimit-limit')).toBe('120');
    expect(headers.get('ratelimit-remaining')).toBe('119');
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  });

  it('at exactly the limit, however many come at once', async () => {
    const limited = await makeKey(await signUp());
    const answers = await Promise.all(
      Array.from({ length: 130 }, () => rest('GET', '/api/v1/incidents?limit=1', { token: limited })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.body).toEqual({ error: { code: 'RATE_LIMITED', status: 429, message: expect.any(String) } });
    expect(refused[0]?.headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
