import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createThrottle } from '@/app/_trpc/throttle';

describe('createThrottle', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function gathering() {
    const rounds: string[][] = [];
    return {
      rounds,
      throttle: createThrottle<string>(
        () => 500,
        (items) => rounds.push([...items]),
      ),
    };
  }

  it('flushes the first item immediately', () => {
    const { rounds, throttle } = gathering();
    throttle.add(['a']);
    expect(rounds).toEqual([['a']]);
  });

  it('collects further items until the interval ends', () => {
    const { rounds, throttle } = gathering();
    throttle.add(['a']);
    throttle.add(['b']);
    throttle.add(['c', 'b']);
    vi.advanceTimersByTime(499);
    expect(rounds).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(rounds).toEqual([['a'], ['b', 'c']]);
  });

  it('flushes a burst at most twice per second without losing items', () => {
    const { rounds, throttle } = gathering();
    for (let ms = 0; ms < 5000; ms += 10) {
      throttle.add([String(ms)]);
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(500);
    expect(rounds.length).toBeLessThanOrEqual(11);
    expect(rounds.flat()).toHaveLength(500);
  });

  it('flushes immediately again after a pause', () => {
    const { rounds, throttle } = gathering();
    throttle.add(['a']);
    vi.advanceTimersByTime(2000);
    throttle.add(['b']);
    expect(rounds).toEqual([['a'], ['b']]);
  });

  it('waits for a running flush without losing items', async () => {
    const rounds: string[][] = [];
    const ends: (() => void)[] = [];
    const throttle = createThrottle<string>(
      () => 500,
      (items) => {
        rounds.push([...items]);
        return new Promise<void>((resolve) => ends.push(resolve));
      },
    );
    throttle.add(['a']);
    throttle.add(['b']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(rounds).toEqual([['a']]);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(1000);
    expect(rounds).toEqual([['a'], ['b']]);
  });

  it('pauses after a slow flush for as long as it took', async () => {
    const rounds: string[][] = [];
    const throttle = createThrottle<string>(
      () => 500,
      (items) => {
        rounds.push([...items]);
        return new Promise((resolve) => setTimeout(resolve, 800));
      },
    );
    throttle.add(['a']);
    throttle.add(['b']);
    await vi.advanceTimersByTimeAsync(1599);
    expect(rounds).toEqual([['a']]);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds).toEqual([['a'], ['b']]);
    await vi.advanceTimersByTimeAsync(5000);
    throttle.add(['c']);
    expect(rounds).toEqual([['a'], ['b'], ['c']]);
  });

  it('continues after a failed flush', async () => {
    const rounds: string[][] = [];
    const throttle = createThrottle<string>(
      () => 500,
      async (items) => {
        rounds.push([...items]);
        throw new Error('the server is away');
      },
    );
    throttle.add(['a']);
    throttle.add(['b']);
    await vi.advanceTimersByTimeAsync(500);
    expect(rounds).toEqual([['a'], ['b']]);
  });

  it('uses the interval at that time, unless flushed explicitly', () => {
    let everyMs = 10_000;
    const rounds: string[][] = [];
    const throttle = createThrottle<string>(
      () => everyMs,
      (items) => rounds.push([...items]),
    );
    throttle.add(['a']);
    throttle.add(['b']);
    vi.advanceTimersByTime(9_999);
    expect(rounds).toEqual([['a']]);
    everyMs = 500;
    throttle.flush();
    expect(rounds).toEqual([['a'], ['b']]);
    throttle.add(['c']);
    vi.advanceTimersByTime(500);
    expect(rounds).toEqual([['a'], ['b'], ['c']]);
  });

  it('discards pending items when stopped, and can be reused', () => {
    const { rounds, throttle } = gathering();
    throttle.add(['a']);
    throttle.add(['b']);
    throttle.stop();
    vi.advanceTimersByTime(1000);
    expect(rounds).toEqual([['a']]);
    throttle.add(['c']);
    expect(rounds).toEqual([['a'], ['c']]);
  });
});
