import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline } from '@/server/platform/net';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = new Error('late');
const limit = (timeoutMs: number, options = {}) => new Deadline({ timeoutMs, reason: () => late, ...options });
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('Deadline', () => {
  it('aborts with its reason when the time is over', () => {
    const deadline = limit(1_000);
    vi.advanceTimersByTime(999);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.reason).toBe(late);
  });

  it('pauses while the work waits for a slot', async () => {
    const deadline = limit(1_000);
    vi.advanceTimersByTime(400);
    const waiting = deadline.waitForUs(() => sleep(60_000));
    expect(deadline.now()).toBe(400);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(deadline.now()).toBe(400);
    await vi.advanceTimersByTimeAsync(30_000);
    await waiting;
    await vi.advanceTimersByTimeAsync(599);
    expect(deadline.now()).toBe(999);
    expect(deadline.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(deadline.signal.reason).toBe(late);
  });

  it('counts overlapping waits once, and continues after the last', async () => {
    const deadline = limit(1_000);
    const waiting = [deadline.waitForUs(() => sleep(5_000)), deadline.waitForUs(() => sleep(9_000))];
    await vi.advanceTimersByTimeAsync(9_000);
    await Promise.all(waiting);
    expect(deadline.now()).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('pauses the outer deadline as well', async () => {
    const wider = limit(1_000);
    const deadline = limit(500, { within: wider });
    const waiting = deadline.waitForUs(() => sleep(20_000));
    await vi.advanceTimersByTimeAsync(20_000);
    await waiting;
    expect([wider.now(), deadline.now()]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(500);
    expect([wider.signal.aborted, deadline.signal.aborted]).toEqual([false, true]);
  });

  it('continues when a wait fails, and rejects with its error', async () => {
    const deadline = limit(1_000);
    await expect(deadline.waitForUs(() => Promise.reject(new Error('no place')))).rejects.toThrow('no place');
    vi.advanceTimersByTime(1_000);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('aborts early with the reason of its parent signal, waiting or not', async () => {
    const stop = new AbortController();
    const deadline = limit(1_000, { signal: stop.signal });
    void deadline.waitForUs(() => sleep(5_000));
    stop.abort('stopped');
    expect(deadline.signal.reason).toBe('stopped');
    expect(() => limit(1_000, { signal: stop.signal })).toThrow('stopped');
  });

  it('aborts nothing once the work is done', async () => {
    const stop = new AbortController();
    const deadline = limit(1_000, { signal: stop.signal });
    const waiting = deadline.waitForUs(() => sleep(100));
    deadline.end();
    await vi.advanceTimersByTimeAsync(100);
    await waiting;
    stop.abort();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(deadline.signal.aborted).toBe(false);
  });
});
