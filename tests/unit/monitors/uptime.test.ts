import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MonitorStatus } from '@/server/monitors/schema';
import { type Span, stripFromSpans, uptimeFromSpans } from '@/server/monitors/uptime';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);

/** Spans one after the other, each starting at its second; the last one is open. */
function spans(...starts: [number, MonitorStatus][]): Span[] {
  return starts.map(([second, status], index) => {
    const next = starts[index + 1];
    return { status, startedAt: at(second), endedAt: next ? at(next[0]) : null };
  });
}

describe('uptime', () => {
  it.each([
    ['up all the time', spans([-100, 'up']), { ratio: 1, upSeconds: 100 }],
    ['down all the time', spans([-100, 'down']), { ratio: 0, downSeconds: 100 }],
    ['degraded counts as up', spans([0, 'degraded'], [50, 'up']), { ratio: 1, upSeconds: 100 }],
    ['a quarter down', spans([0, 'up'], [40, 'down'], [65, 'up']), { ratio: 0.75, upSeconds: 75, downSeconds: 25 }],
    [
      'maintenance is in neither',
      spans([0, 'up'], [50, 'maintenance'], [75, 'down']),
      { ratio: 2 / 3, maintenanceSeconds: 25 },
    ],
    ['unknown is in neither', spans([0, 'down'], [50, 'unknown'], [75, 'up']), { ratio: 1 / 3, unknownSeconds: 25 }],
    [
      'paused and pending are in nothing',
      spans([0, 'pending'], [50, 'paused'], [90, 'up']),
      { ratio: 1, upSeconds: 10, unknownSeconds: 0 },
    ],
    ['nothing known', spans([0, 'pending']), { ratio: null }],
    ['no spans at all', [], { ratio: null, upSeconds: 0 }],
    ['a monitor made in the middle', spans([60, 'up']), { ratio: 1, upSeconds: 40 }],
  ])('%s', (_name, given, expected) => {
    expect(uptimeFromSpans(given, at(0), at(100), at(200))).toMatchObject(expected);
  });

  it('trusts an open span only as far as somebody looked', () => {
    expect(uptimeFromSpans(spans([0, 'up']), at(0), at(100), at(60))).toMatchObject({
      ratio: 1,
      upSeconds: 60,
      unknownSeconds: 40,
    });
  });

  it('never gives more time than there is, and a ratio from 0 to 1', () => {
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

describe('a strip', () => {
  const strip = (given: Span[], watched = 100, now = 100) =>
    stripFromSpans(given, { from: at(0), to: at(100), parts: 4, now: at(now), watchedUntil: at(watched) });

  it.each([
    [
      'the worst of each part',
      spans([0, 'up'], [30, 'down'], [31, 'up'], [80, 'degraded']),
      ['up', 'down', 'up', 'degraded'],
    ],
    ['nothing before the first span', spans([50, 'up']), [null, null, 'up', 'up']],
    [
      'a status that ends on a boundary stays out of the next part',
      spans([0, 'down'], [25, 'up']),
      ['down', 'up', 'up', 'up'],
    ],
    ['up outranks the moment it was pending', spans([0, 'pending'], [1, 'up']), ['up', 'up', 'up', 'up']],
  ])('%s', (_name, given, expected) => {
    expect(strip(given)).toEqual(expected);
  });

  it('says nothing of what is still to come', () => {
    expect(strip(spans([0, 'up']), 60, 55)).toEqual(['up', 'up', 'up', null]);
  });

  it('is unknown where nobody looked', () => {
    expect(strip(spans([0, 'up']), 50)).toEqual(['up', 'up', 'unknown', 'unknown']);
  });
});
