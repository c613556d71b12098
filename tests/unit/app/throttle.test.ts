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

  it('hands the first over at once', () => {
    const { rounds, throttle } = gathering();
    throttle.add(['a']);
    expect(rounds).toEqual([['a']]);
  });

  it('gathers what follows until the time is over', () => {
    const { rounds, throttle } = gathering();
    throttle.add(['a']);
    throttle.add(['b']);
    throttle.add(['c', 'b']);
    vi.advanceTimersByTime(499);
    expect(rounds).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(rounds).toEqual([['a'], ['b', 'c']]);
  });

  it('makes at most two rounds a second of a storm, and loses nothing', () => {
    const { rounds, throttle } = gathering();
    for (let ms = 0; ms < 5000; ms += 10) {
      throttle.add([String(ms)]);
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(500);
    expect(rounds.length).toBeLessThanOrEqual(11);
    expect(rounds.flat()).toHaveLength(500);
  });

  it('hands over at once again after a pause', () => {
    const { rounds, throttle } = gathering();
    throttle.add(['a']);
    vi.advanceTimersByTime(2000);
    throttle.add(['b']);
    expect(rounds).toEqual([['a'], ['b']]);
  });

  it('waits for the work before, however long that takes, and loses nothing', async () => {
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

  it('rests after long work as long as it took, and not at all after what is older', async () => {
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

  it('goes on after work that failed', async () => {
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

  it('waits as long as is asked for at that time, unless it is hurried', () => {
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
    throttle.hurry();
    expect(rounds).toEqual([['a'], ['b']]);
    throttle.add(['c']);
    vi.advanceTimersByTime(500);
    expect(rounds).toEqual([['a'], ['b'], ['c']]);
  });

  it('forgets what waits when it is stopped, and may be used again', () => {
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
