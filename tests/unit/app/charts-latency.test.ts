import { describe, expect, test } from 'vitest';
import { axisLabels, chartSentence, outageSpans } from '@/app/_components/charts/chart-words';
import {
  type ChartData,
  type ChartPoint,
  clipped,
  gaps,
  laneTicks,
  lastAnswer,
  latencyScale,
  linePath,
  pointAt,
} from '@/app/_components/charts/latency-geometry';

const start = Date.parse('2026-11-17T00:00:00.000Z');
const iso = (minutes: number) => new Date(start + minutes * 60_000).toISOString();

type Value = number | null | 'down';

/** A chart of one-minute parts: a number is an answer's p50 (p95 and p99 twice and thrice that), null is no check. */
function chart(values: Value[], outages: ChartData['outages'] = []): ChartData {
  const points = values.map((value, index): ChartPoint => {
    const p50 = typeof value === 'number' ? value : null;
    return {
      at: iso(index),
      status: value === null ? null : value === 'down' ? 'down' : 'up',
      p50,
      p95: p50 && p50 * 2,
      p99: p50 && p50 * 3,
    };
  });
  const overall = { p50: null, p95: null, p99: null };
  return { from: iso(0), to: iso(values.length), bucketSeconds: 60, points, overall, outages, exclusions: [] };
}

const subpaths = (path: string) => path.match(/M/g)?.length ?? 0;

describe('the axis', () => {
  test.each([
    [[100, 100, 100], 300, 3],
    [[33, 30], 100, 2],
    [[700], 3000, 3],
  ])('starts at 0 and has at most four lines: %j', (values, max, lines) => {
    const scale = latencyScale(chart(values), null);
    expect(scale.ticks[0]).toBe(0);
    expect(scale.ticks.length).toBeLessThanOrEqual(4);
    expect(scale.max).toBe(scale.ticks.at(-1));
    expect(scale).toMatchObject({ max, ticks: expect.objectContaining({ length: lines + 1 }) });
  });

  test('covers every value of a rise', () => {
    const rise = [...Array<number>(40).fill(100), 200, 300, 400, 500];
    expect(latencyScale(chart(rise), null).max).toBeGreaterThanOrEqual(1500);
  });

  test('one spike does not stretch it; the spike is clipped and told', () => {
    const spiky = chart([...Array<number>(99).fill(100), 4000]);
    const { max } = latencyScale(spiky, null);
    expect(max).toBeLessThan(600);
    expect(clipped(spiky, max)).toEqual([{ left: expect.closeTo(0.995), value: 12_000 }]);
    expect(clipped(chart([100, 100]), 300)).toEqual([]);
  });

  test('holds the threshold unless that would flatten the lines', () => {
    const even = chart([100, 110]);
    expect(latencyScale(even, 800).max).toBeGreaterThanOrEqual(880);
    expect(latencyScale(even, 10_000).max).toBeLessThan(1000);
  });

  test('stands even where there is no answer', () => {
    expect(latencyScale(chart([]), null).max).toBeGreaterThan(0);
  });
});

describe('the line', () => {
  test('joins neighbours and starts anew after a gap of more than two intervals', () => {
    expect(subpaths(linePath(chart([10, 11, 12]), 'p50', 100, 60))).toBe(1);
    expect(subpaths(linePath(chart([10, null, 12]), 'p50', 100, 60))).toBe(1);
    expect(subpaths(linePath(chart([10, 11, null, null, 12, 13]), 'p50', 100, 60))).toBe(2);
  });

  test('does not cross a failed check', () => {
    expect(subpaths(linePath(chart([10, 11, 'down', 12, 13]), 'p50', 100, 60))).toBe(2);
  });

  test('an answer from a part that was down throughout is none, from one that was down partly it counts', () => {
    const mixed = chart([10, 11, 12]);
    const points = mixed.points.map((point, index) =>
      index === 1 ? { ...point, status: 'down' as const, p50: 900, p95: 900, p99: 900 } : point,
    );
    const covered = { ...mixed, points, outages: [{ from: iso(1), to: iso(2) }] };
    expect(subpaths(linePath(covered, 'p50', 100, 60))).toBe(2);
    expect(latencyScale(covered, null).max).toBeLessThan(100);
    const partly = { ...covered, outages: [{ from: iso(1.25), to: iso(1.75) }] };
    expect(subpaths(linePath(partly, 'p50', 1000, 60))).toBe(1);
    expect(latencyScale(partly, null).max).toBeGreaterThanOrEqual(900);
  });

  test('reaches over parts that a long interval leaves empty', () => {
    expect(subpaths(linePath(chart([10, null, null, null, null, 12]), 'p50', 100, 300))).toBe(1);
  });

  test('a lone answer is a dash, nothing is nothing', () => {
    expect(linePath(chart([null, 50, null]), 'p50', 100, 60)).toMatch(/^M[\d.]+ 100h[\d.]+$/);
    expect(linePath(chart([null, null]), 'p50', 100, 60)).toBe('');
  });

  test('a value above the axis stays at its top', () => {
    expect(linePath(chart([500, 500]), 'p50', 100, 60)).toBe('M250 0L750 0');
  });
});

describe('what is missing', () => {
  test('more than two intervals without a check are a gap', () => {
    expect(gaps(chart([1, 1, null, null, 1]), iso(-60), 60)).toEqual([]);
    expect(gaps(chart([1, null, null, null, 1]), iso(-60), 60)).toEqual([{ left: 0.2, width: expect.closeTo(0.6) }]);
  });

  test('time in which a monitor could not be told is missing too', () => {
    const untold = chart([1, null, null, null, 1]);
    const points = untold.points.map((point) => ({ ...point, status: point.status ?? ('unknown' as const) }));
    expect(gaps({ ...untold, points }, iso(-60), 60)).toHaveLength(1);
  });

  test('a failed check is not a gap', () => {
    expect(gaps(chart([1, 'down', 'down', 'down', 1]), iso(-60), 60)).toEqual([]);
  });

  test('time before the monitor existed is not missing', () => {
    const young = chart([null, null, null, null, null, null, null, null, 1, 1]);
    expect(gaps(young, iso(8), 60)).toEqual([]);
    expect(gaps(young, iso(-60), 60)).toHaveLength(1);
  });

  test('checks that stopped are missing up to now', () => {
    expect(gaps(chart([1, 1, null, null, null]), iso(-60), 60)).toEqual([{ left: 0.4, width: expect.closeTo(0.6) }]);
  });
});

test('the lane has ticks of at least an interval, each with its worst status', () => {
  expect(laneTicks(chart([1, 'down', null, null]), 120)).toEqual({ ticks: ['down', null], pitch: 500 });
});

test('the legend shows the last answer', () => {
  expect(lastAnswer(chart([10, 20, 'down']))?.p50).toBe(20);
  expect(lastAnswer(chart(['down']))).toBeNull();
});

test('a place on the plot names the part of the time under it', () => {
  const four = chart([1, 2, 3, 4]);
  expect([0, 0.26, 0.99, 1.2, -1].map((fraction) => pointAt(four, fraction))).toEqual([0, 1, 3, 3, 0]);
});

describe('words', () => {
  test('times of day on a short axis, days on a long one', () => {
    expect(axisLabels(chart(Array<number>(180).fill(1)), 'UTC').map(({ text }) => text)).toEqual([
      '00:00',
      '00:30',
      '01:00',
      '01:30',
      '02:00',
      '02:30',
      '03:00',
    ]);
    const week = { ...chart([1]), to: iso(7 * 24 * 60) };
    expect(axisLabels(week, 'UTC').at(0)?.text).toBe('17 Nov');
    const first = { ...chart(Array<number>(12).fill(1)), bucketSeconds: 5 };
    expect(axisLabels(first, 'UTC').at(1)?.text).toBe('00:02:00');
    expect(chartSentence(first, iso(0), 60, 'UTC')).toContain('Response time over 12 minutes.');
  });

  test('the sentence tells the lines, the gaps and the outages', () => {
    const story = chart(
      [
        ...Array<number>(60).fill(100),
        ...Array<null>(30).fill(null),
        ...Array<number>(80).fill(900),
        ...Array<'down'>(10).fill('down'),
      ],
      [{ from: iso(170), to: null }],
    );
    const sentence = chartSentence(story, iso(-60), 60, 'UTC');
    expect(sentence).toContain('Response time over 3 hours.');
    expect(sentence).toContain('p50 from 100 ms to 900 ms');
    expect(sentence).toContain('No data from 01:00 to 01:30.');
    expect(sentence).toContain('Down since 02:50.');
    expect(chartSentence(chart([null]), iso(0), 60, 'UTC')).toContain('No answers yet.');
  });

  test('an outage spans from its start to its end or to now; flags do not meet', () => {
    const outages = [
      { from: iso(1), to: iso(2) },
      { from: iso(3), to: iso(4) },
      { from: iso(80), to: null },
    ];
    const spans = outageSpans(chart(Array<number>(100).fill(1), outages), 'UTC');
    expect(spans.map(({ left, width }) => [left, width])).toEqual([
      [0.8, expect.closeTo(0.2)],
      [0.03, expect.closeTo(0.01)],
      [0.01, expect.closeTo(0.01)],
    ]);
    expect(spans.map(({ text }) => text)).toEqual(['Down since 01:20', 'Down 00:03 to 00:04', null]);
  });
});
