import { describe, expect, it, vi } from 'vitest';
import { createShared } from '@/server/status-pages/shared';

describe('what many ask for at once', () => {
  it('is made once for each key, and again when it is old', async () => {
    vi.useFakeTimers();
    const make = vi.fn(async (text: string) => text.toUpperCase());
    const share = createShared(400, make);
    expect(await Promise.all([share('a', 'a'), share('a', 'a'), share('b', 'b')])).toEqual(['A', 'A', 'B']);
    expect(make).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(401);
    expect(await share('a', 'now')).toBe('NOW');
    vi.useRealTimers();
  });

  it('is tried again at once where it failed', async () => {
    const make = vi.fn().mockRejectedValueOnce(new Error('not now')).mockResolvedValueOnce('here');
    const share = createShared(60_000, make);
    await expect(share('a')).rejects.toThrow('not now');
    expect(await share('a')).toBe('here');
  });
});
