import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addHistogram, LOWER_BOUNDS, noCounts, percentile, toPercentiles } from '@/server/history/latency/histogram';

const bucketOf = (ms: number) => LOWER_BOUNDS.findLastIndex((bound) => bound <= ms);

/** Values as stored histograms, one entry each. */
const stored = (values: number[]) => Uint8Array.from(values.flatMap((ms) => [bucketOf(ms), 0, 1]));

const countsOf = (...histograms: Uint8Array[]) => {
  const counts = noCounts();
  for (const histogram of histograms) addHistogram(counts, histogram);
  return counts;
};

const discrete = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length)) - 1];

describe('latency histogram', () => {
  it('has buckets that fit a byte, grow and never change', () => {
    expect(LOWER_BOUNDS.length).toBeLessThanOrEqual(256);
    expect([LOWER_BOUNDS.length, ...LOWER_BOUNDS.slice(0, 24)]).toMatchInlineSnapshot(`
      [
        205,
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        12,
        13,
        14,
        15,
        16,
        17,
        18,
        19,
        21,
        24,
        27,
        30,
      ]
    `);
    expect(LOWER_BOUNDS.every((bound, index) => index === 0 || bound > (LOWER_BOUNDS[index - 1] ?? 0))).toBe(true);
  });

  it.each([
    ['nothing', [], null],
    ['one value', [7], 7],
    ['zero', [0, 0, 0], 0],
    ['the middle value', [1, 2, 3], 2],
  ])('returns the percentile of %s', (_name, values, expected) => {
    expect(percentile(countsOf(stored(values)), 0.5)).toBe(expected);
  });

  it('returns percentiles that are at most 5 % off', () => {
    const ms = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 2_147_483_647 }));
    fc.assert(
      fc.property(
        fc.array(ms, { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0, 0.01, 0.5, 0.95, 0.99, 1),
        (values, share) => {
          const exact = discrete(values, share) ?? Number.NaN;
          const found = percentile(countsOf(stored(values)), share) ?? Number.NaN;
          expect(Math.abs(found - exact)).toBeLessThanOrEqual(0.05 * exact);
        },
      ),
    );
  });

  it('is the same if merged from parts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 60_000 })),
        fc.array(fc.integer({ min: 0, max: 60_000 })),
        (a, b) => {
          const together = countsOf(stored([...a, ...b]));
          expect(toPercentiles(countsOf(stored(a), stored(b)))).toEqual(toPercentiles(together));
        },
      ),
    );
  });

  it('saturates instead of overflowing', () => {
    const counts = countsOf(Uint8Array.from([3, 255, 255, 3, 0, 1, 9, 0, 2]));
    expect([counts[3], counts[9]]).toEqual([65_536, 2]);
    expect(percentile(counts, 1)).toBe(9);
  });
});
