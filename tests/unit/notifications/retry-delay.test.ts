import { describe, expect, it } from 'vitest';
import { retryDelay } from '@/server/notifications/deliveries/retry-delay';

const failure = (statusCode: number | null = 503, more: { permanent?: boolean; retryAfterSeconds?: number } = {}) => ({
  permanent: false,
  statusCode,
  ...more,
});

function allDelays(statusCode: number | null): number[] {
  const delays: number[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const delay = retryDelay(attempts, failure(statusCode), 0.5);
    if (delay === null) return delays;
    delays.push(delay);
  }
}

describe('retry delay', () => {
  it('is short at first', () => {
    expect(allDelays(503).slice(0, 4)).toEqual([5, 15, 45, 120]);
  });

  it.each([503, 500, 429, 408, 425, 301, null])('retries for about a day after %s', (statusCode) => {
    const hours = allDelays(statusCode).reduce((sum, delay) => sum + delay, 0) / 3600;
    expect(hours).toBeGreaterThan(22);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it.each([400, 401, 403, 404, 413])('gives up within ten minutes after a refusal with %s', (statusCode) => {
    expect(allDelays(statusCode)).toEqual([5, 15, 45, 120, 300]);
  });

  it('stops after a permanent failure', () => {
    expect(retryDelay(1, failure(410, { permanent: true }), 0.5)).toBeNull();
  });

  it('never stops, and stays below half an hour, if this installation is the cause', () => {
    const delays = [1, 4, 13, 14, 5_000].map((attempts) =>
      retryDelay(attempts, { ...failure(null), isOurs: true }, 0.5),
    );
    expect(delays).toEqual([5, 120, 1_800, 1_800, 1_800]);
  });

  it('has a jitter of 10 %', () => {
    expect(retryDelay(4, failure(), 0)).toBeCloseTo(108);
    expect(retryDelay(4, failure(), 1)).toBeCloseTo(132);
  });

  it.each([
    { asked: 60, gets: 60 },
    { asked: 1, gets: 5 },
    { asked: 1_000_000, gets: 21_600 },
  ])('is $gets s if the receiver asks for $asked s', ({ asked, gets }) => {
    expect(retryDelay(1, failure(429, { retryAfterSeconds: asked }), 0.5)).toBe(gets);
  });
});
