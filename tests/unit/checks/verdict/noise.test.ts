import { describe, expect, it } from 'vitest';
import type { Seen, WatchState } from '@/server/checks/verdict/types';
import { DAY_MS } from '@/server/time/schema';
import { down, run, second, state, unknown, up } from '../watching';

const DAY = DAY_MS / 1000;
const rules = { failures: 3, recoveries: 2, retryDelayMs: 10_000, isAdaptive: true };

/** Checks that start 10 s apart: "F" fails, "U" is unknown, others pass. */
const checksAt = (at: number, pattern: string): Seen[] =>
  [...pattern].map((each, index) => {
    const from = at + index * 10;
    return each === 'F' ? down(from) : each === 'U' ? unknown(from) : up(from);
  });

const afterChecks = (from: WatchState, at: number, pattern: string) => run(from, checksAt(at, pattern), rules);

/** A monitor with short failures on these days. */
function withShortFailures(...days: number[]): WatchState {
  let current = state();
  for (const day of days) {
    current = afterChecks({ ...current, lastCheckedAt: second(day * DAY) }, day * DAY, 'FPPP').last.state;
  }
  return current;
}

const noisy = withShortFailures(1, 3);

describe('noise', () => {
  it('is nothing for a monitor without failing checks, and after one short failure', () => {
    expect(state().noiseUntil).toBeNull();
    const once = withShortFailures(1);
    expect(afterChecks(once, 2 * DAY, 'FFF').last.state).toMatchObject({
      status: 'down',
      statusSince: second(2 * DAY),
    });
  });

  it('doubles the time that failing checks must last after two short failures within a week', () => {
    expect(afterChecks(noisy, 4 * DAY, 'FFFF').last.state).toMatchObject({ status: 'up', failures: 12 });
    const outage = afterChecks(noisy, 4 * DAY, 'FFFFF');
    expect(outage.last.state).toMatchObject({ status: 'down', statusSince: second(4 * DAY) });
    expect(outage.incidents).toMatchObject([{ kind: 'open', startedAt: second(4 * DAY) }]);
  });

  it('opens no incident for failing checks within 30 s', () => {
    expect(afterChecks(noisy, 4 * DAY, 'FFFFPPPPPPPPP').incidents).toEqual([]);
    expect(afterChecks(noisy, 4 * DAY, 'FFFFPPPPPPPPP').last.state).toMatchObject({
      status: 'up',
      failures: 0,
      turnedAt: null,
    });
  });

  it('changes neither the confirmation that somebody set nor that of a monitor that is down', () => {
    const set = run(noisy, checksAt(4 * DAY, 'FFF'), { ...rules, isAdaptive: false });
    expect(set.last.state.status).toBe('down');
    const back = afterChecks(afterChecks(noisy, 4 * DAY, 'FFFFF').last.state, 4 * DAY + 60, 'PP');
    expect(back.last.state.status).toBe('up');
  });

  it('ends when no more than one short failure a week is left', () => {
    expect(afterChecks(noisy, 7.9 * DAY, 'FFF').last.state.status).toBe('up');
    expect(afterChecks(noisy, 8.1 * DAY, 'FFF').last.state.status).toBe('down');
  });

  it('ends after four weeks, however many short failures there were', () => {
    const often = withShortFailures(...Array.from({ length: 60 }, (_, index) => index / 2));
    const last = often.noiseUntil?.getTime() ?? 0;
    expect(last).toBeLessThanOrEqual(second(29.5 * DAY + 30).getTime() + 28 * DAY_MS);
    expect(last).toBeGreaterThan(second(29.5 * DAY).getTime() + 27 * DAY_MS);
  });

  it('ends with a downtime of at least two minutes, but not with a shorter one', () => {
    const short = afterChecks(noisy, 4 * DAY, `${'F'.repeat(6)}PP`).last.state;
    expect(short).toMatchObject({ status: 'up', noiseUntil: noisy.noiseUntil });
    const long = afterChecks(noisy, 4 * DAY, `${'F'.repeat(13)}PP`).last.state;
    expect(long).toMatchObject({ status: 'up', noiseUntil: null });
  });

  it('does not come from checks that were unknown', () => {
    expect(afterChecks(state(), DAY, 'FUUP').last.state.noiseUntil).toBeNull();
  });
});
