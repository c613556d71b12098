import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  outagesIn,
  type Span,
  stripFromSpans,
  type TimeRange,
  timeIn,
  timeInParts,
  toUptime,
} from '@/server/history/uptime';
import type { MonitorStatus } from '@/server/monitor-types/schema';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);

/** Consecutive spans, each starting at its second; the last one is open. */
function spans(...starts: [number, MonitorStatus][]): Span[] {
  return starts.map(([second, status], index) => {
    const next = starts[index + 1];
    return { status, startedAt: at(second), endedAt: next ? at(next[0]) : null };
  });
}

const known = (given: Span[], watched: Date, exclusions: TimeRange[] = [], maintenance: TimeRange[] = []) => ({
  spans: given,
  watchedUntil: watched,
  exclusions,
  maintenance,
});
const uptimeFromSpans = (given: Span[], from: Date, to: Date, watched: Date, exclusions: TimeRange[] = []) =>
  toUptime(timeIn(known(given, watched, exclusions), { from, to }));

describe('uptime', () => {
  it.each([
    ['up all the time', spans([-100, 'up']), { ratio: 1, upSeconds: 100 }],
    ['down all the time', spans([-100, 'down']), { ratio: 0, downSeconds: 100 }],
    ['degraded counts as up', spans([0, 'degraded'], [50, 'up']), { ratio: 1, upSeconds: 100 }],
    ['a quarter down', spans([0, 'up'], [40, 'down'], [65, 'up']), { ratio: 0.75, upSeconds: 75, downSeconds: 25 }],
    [
      'maintenance does not count',
      spans([0, 'up'], [50, 'maintenance'], [75, 'down']),
      { ratio: 2 / 3, maintenanceSeconds: 25 },
    ],
    ['unknown does not count', spans([0, 'down'], [50, 'unknown'], [75, 'up']), { ratio: 1 / 3, unknownSeconds: 25 }],
    [
      'paused and pending do not count',
      spans([0, 'pending'], [50, 'paused'], [90, 'up']),
      { ratio: 1, upSeconds: 10, unknownSeconds: 0 },
    ],
    ['only unknown time', spans([0, 'pending']), { ratio: null }],
    ['no spans at all', [], { ratio: null, upSeconds: 0 }],
    ['a monitor created in the middle of the range', spans([60, 'up']), { ratio: 1, upSeconds: 40 }],
  ])('%s', (_name, given, expected) => {
    expect(uptimeFromSpans(given, at(0), at(100), at(200))).toMatchObject(expected);
  });

  it('counts an open span only up to the last check', () => {
    expect(uptimeFromSpans(spans([0, 'up']), at(0), at(100), at(60))).toMatchObject({
      ratio: 1,
      upSeconds: 60,
      unknownSeconds: 40,
    });
  });

  const excluded = (...stretches: [number, number][]) =>
    stretches.map(([from, to]) => ({ from: at(from), to: at(to) }));

  it.each([
    ['a downtime', excluded([40, 65]), { ratio: 1, upSeconds: 70, downSeconds: 0, excludedSeconds: 25 }],
    ['part of a downtime', excluded([60, 70]), { upSeconds: 65, downSeconds: 20, excludedSeconds: 10 }],
    ['overlapping exclusions once', excluded([50, 60], [40, 55], [45, 50]), { downSeconds: 5, excludedSeconds: 20 }],
    ['the same exclusion twice', excluded([40, 50], [40, 50]), { downSeconds: 15, excludedSeconds: 10 }],
    ['exclusions outside of the range', excluded([-50, 10], [90, 900]), { upSeconds: 55, excludedSeconds: 20 }],
    ['the whole range', excluded([-50, 900]), { ratio: null, upSeconds: 0, downSeconds: 0, excludedSeconds: 100 }],
    ['unknown time', excluded([95, 100]), { unknownSeconds: 0, excludedSeconds: 5 }],
  ])('leaves out exclusions: %s', (_name, exclusions, expected) => {
    const given = spans([0, 'up'], [40, 'down'], [65, 'up']);
    expect(uptimeFromSpans(given, at(0), at(100), at(95), exclusions)).toMatchObject(expected);
  });

  const stretches = excluded;

  it.each([
    ['a downtime', stretches([40, 65]), { ratio: 1, upSeconds: 75, downSeconds: 0, maintenanceSeconds: 25 }],
    [
      'overlapping windows once',
      stretches([30, 50], [45, 60]),
      { upSeconds: 65, downSeconds: 5, maintenanceSeconds: 30 },
    ],
    ['what lies outside of the range', stretches([-50, 10], [90, 900]), { maintenanceSeconds: 20, downSeconds: 25 }],
    ['time in which nobody checked', stretches([80, 120]), { maintenanceSeconds: 20, unknownSeconds: 0 }],
  ])('counts maintenance in neither part of the ratio: %s', (_name, maintenance, expected) => {
    const given = spans([0, 'up'], [40, 'down'], [65, 'up']);
    const watched = known(given, at(90), [], maintenance);
    const upTo = { ...watched, watchedUntil: at(maintenance[0]?.to.getTime() === at(120).getTime() ? 80 : 100) };
    expect(toUptime(timeIn(upTo, { from: at(0), to: at(100) }))).toMatchObject(expected);
  });

  it('leaves maintenance out of outages, planned maintenance too', () => {
    const given = spans([0, 'up'], [40, 'down']);
    const all = known(given, at(100), [], stretches([30, 50], [60, 70], [90, 200]));
    expect(outagesIn(all, { from: at(0), to: at(100) })).toEqual([
      { from: at(50), to: at(60) },
      { from: at(70), to: at(90) },
    ]);
  });

  it('lets a pause and an exclusion cover maintenance', () => {
    const given = spans([0, 'up'], [20, 'paused'], [40, 'up']);
    const all = known(given, at(100), stretches([50, 60]), stretches([10, 70]));
    const { up, paused, maintenance, excluded: out } = timeIn(all, { from: at(0), to: at(100) });
    expect({ up, paused, maintenance, out }).toEqual({ up: 40_000, paused: 20_000, maintenance: 30_000, out: 10_000 });
  });

  it('is the sum of its parts, however the time is split', () => {
    const given = spans([-9, 'up'], [13, 'down'], [14.5, 'degraded'], [47, 'paused'], [60, 'up']);
    const all = known(given, at(80), excluded([10, 20], [70, 90]));
    for (const seconds of [1, 7, 10, 25, 100]) {
      const parts = timeInParts(all, { from: at(0), partMs: seconds * 1000, parts: Math.ceil(100 / seconds) });
      const sum = (state: 'up' | 'down' | 'excluded' | 'unknown') =>
        parts.reduce((total, part) => total + part[state], 0);
      const whole = timeIn(all, { from: at(0), to: at(Math.ceil(100 / seconds) * seconds) });
      expect([sum('up'), sum('down'), sum('excluded'), sum('unknown')]).toEqual([
        whole.up,
        whole.down,
        whole.excluded,
        whole.unknown,
      ]);
    }
  });

  it('never counts more time than there is, and returns a ratio from 0 to 1', () => {
    const status = fc.constantFrom<MonitorStatus>(
      'up',
      'degraded',
      'down',
      'unknown',
      'maintenance',
      'paused',
      'pending',
    );
    const starts = fc
      .uniqueArray(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 30 })
      .chain((seconds) => {
        const sorted = seconds.sort((a, b) => a - b);
        return fc.tuple(...sorted.map((second) => fc.tuple(fc.constant(second), status)));
      });
    fc.assert(
      fc.property(starts, fc.integer({ min: -600, max: 600 }), (given, watched) => {
        const result = uptimeFromSpans(spans(...(given as [number, MonitorStatus][])), at(-300), at(300), at(watched));
        const { ratio, upSeconds, downSeconds, maintenanceSeconds, unknownSeconds } = result;
        expect(upSeconds + downSeconds + maintenanceSeconds + unknownSeconds).toBeLessThanOrEqual(600.001);
        if (ratio !== null) expect(ratio >= 0 && ratio <= 1).toBe(true);
        else expect(upSeconds + downSeconds).toBe(0);
      }),
    );
  });
});

describe('uptime strip', () => {
  const strip = (given: Span[], watched = 100, now = 100) =>
    stripFromSpans(known(given, at(watched)), { from: at(0), to: at(100), parts: 4, now: at(now) });

  it.each([
    [
      'shows the worst status of each part',
      spans([0, 'up'], [30, 'down'], [31, 'up'], [80, 'degraded']),
      ['up', 'down', 'up', 'degraded'],
    ],
    ['shows no data before the first span', spans([50, 'up']), [null, null, 'up', 'up']],
    [
      'leaves a status that ends on a boundary out of the next part',
      spans([0, 'down'], [25, 'up']),
      ['down', 'up', 'up', 'up'],
    ],
    ['shows up rather than a moment of pending', spans([0, 'pending'], [1, 'up']), ['up', 'up', 'up', 'up']],
  ])('%s', (_name, given, expected) => {
    expect(strip(given)).toEqual(expected);
  });

  it('shows nothing for excluded time', () => {
    const all = known(spans([0, 'up'], [30, 'down'], [45, 'up']), at(100), [{ from: at(25), to: at(50) }]);
    expect(stripFromSpans(all, { from: at(0), to: at(100), parts: 4, now: at(100) })).toEqual(['up', null, 'up', 'up']);
  });

  it('shows nothing for the future', () => {
    expect(strip(spans([0, 'up']), 60, 55)).toEqual(['up', 'up', 'up', null]);
  });

  it('shows unknown for time without checks', () => {
    expect(strip(spans([0, 'up']), 50)).toEqual(['up', 'up', 'unknown', 'unknown']);
  });
});
