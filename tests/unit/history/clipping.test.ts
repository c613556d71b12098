import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Known, type Span, type State, type TimeRange, timeIn, timeInParts } from '@/server/history/uptime';
import type { MonitorStatus } from '@/server/monitor-types/schema';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
const LENGTH = 400;

/** The state of one second by definition: an exclusion counts before maintenance, maintenance before the status, unless that is a pause. */
function stateAt({ spans, exclusions, maintenance, watchedUntil }: Known, second: number): State | null {
  const isIn = ({ from, to }: TimeRange) => from <= at(second) && at(second) < to;
  const span = spans.find(({ startedAt, endedAt }) => isIn({ from: startedAt, to: endedAt ?? at(LENGTH) }));
  if (!span) return null;
  if (exclusions.some(isIn)) return 'excluded';
  if (span.status !== 'paused' && maintenance.some(isIn)) return 'maintenance';
  const isVerdict = ['up', 'degraded', 'down'].includes(span.status);
  return isVerdict && span.endedAt === null && watchedUntil && watchedUntil <= at(second) ? 'unknown' : span.status;
}

const Status = fc.constantFrom<MonitorStatus>('up', 'down', 'degraded', 'unknown', 'maintenance', 'paused', 'pending');
const Stretches = fc
  .array(fc.tuple(fc.integer({ min: -20, max: LENGTH }), fc.integer({ min: 1, max: 60 })), { maxLength: 12 })
  .map((all) => all.map(([from, length]) => ({ from: at(from), to: at(from + length) })));
const Spans = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), Status), { maxLength: 30 }).map((all) => {
  let second = -20;
  const spans: Span[] = [];
  for (const [length, status] of all) {
    const startedAt = at(second);
    second += length;
    spans.push({ status, startedAt, endedAt: at(second) });
  }
  const last = spans.at(-1);
  if (last) last.endedAt = null;
  return spans;
});

/** A monitor that changes every second, with as many short exclusions and periods of maintenance. */
function restless(count: number): Known {
  const stretches = (after: number) =>
    Array.from({ length: count }, (_, index) => ({
      from: new Date(at(index).getTime() + after),
      to: new Date(at(index).getTime() + after + 300),
    }));
  return {
    spans: Array.from({ length: count }, (_, index) => {
      return { status: index % 2 ? 'up' : 'down', startedAt: at(index), endedAt: at(index + 1) };
    }),
    watchedUntil: null,
    exclusions: stretches(100),
    maintenance: stretches(500),
  };
}

/** CPU time of clipping `count` spans with as many exclusions and periods, in microseconds: the least of some runs. */
function costOf(count: number): number {
  const known = restless(count);
  const range = { from: at(0), to: at(count) };
  const times = Array.from({ length: 8 }, () => {
    const before = process.cpuUsage();
    const time = timeIn(known, range);
    expect(time).toMatchObject({ excluded: count * 300, maintenance: count * 300 });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}

describe('clipping', () => {
  it('gives each second the state that its definition says', () => {
    const parts = fc.constantFrom(1, 4, 10);
    fc.assert(
      fc.property(
        fc.record({ spans: Spans, exclusions: Stretches, maintenance: Stretches }),
        fc.option(fc.integer({ min: 0, max: LENGTH })),
        parts,
        (past, watched, count) => {
          const known = { ...past, watchedUntil: watched === null ? null : at(watched) };
          const partMs = (LENGTH * 1000) / count;
          const found = timeInParts(known, { from: at(0), partMs, parts: count });
          const expected = found.map(() => new Map<State, number>());
          for (let second = 0; second < LENGTH; second += 1) {
            const state = stateAt(known, second);
            const part = expected[Math.floor((second * 1000) / partMs)];
            if (state) part?.set(state, (part.get(state) ?? 0) + 1000);
          }
          expect(
            found.map((time) =>
              Object.entries(time)
                .filter(([, ms]) => ms > 0)
                .sort(),
            ),
          ).toEqual(expected.map((time) => [...time].sort()));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('costs in proportion to the number of spans, exclusions and periods of maintenance', () => {
    costOf(4_000);
    // Other load makes a ratio too high as a rule, so the lowest of some counts. With a cost that grows by the square, each would be 64. The collection
    // of garbage grows faster with larger ones.
    const ratios = Array.from({ length: 4 }, () => costOf(4_000) / costOf(500));
    expect(Math.min(...ratios)).toBeLessThan(25);
  });
});
