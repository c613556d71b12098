import { describe, expect, test } from 'vitest';
import { axisLabels } from '@/app/_components/charts/axis';
import { chartSentence } from '@/app/_components/charts/chart-words';
import {
  type ChartData,
  type ChartPoint,
  clipped,
  gaps,
  laneTicks,
  lastAnswer,
  latencyScale,
  linePath,
  linesOf,
  medianAt,
  moveOnto,
  pointAt,
  spanBefore,
} from '@/app/_components/charts/latency-geometry';
import { outageSpans, topLabels } from '@/app/_components/charts/top-labels';

const start = Date.parse('2026-11-17T00:00:00.000Z');
const iso = (minutes: number) => new Date(start + minutes * 60_000).toISOString();

type Value = number | null | 'down';

/** A chart with one-minute parts. A number is the p50 (p95 and p99 are twice and three times that); null is no check. */
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
  const parts = { bucketSeconds: 60, checksPerPart: 3, points };
  return { from: iso(0), to: iso(values.length), ...parts, overall, outages, exclusions: [], maintenance: [] };
}

const subpaths = (path: string) => path.match(/M/g)?.length ?? 0;

describe('chart axis', () => {
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

  test('clips and labels a single spike instead of stretching the axis', () => {
    const spiky = chart([...Array<number>(99).fill(100), 4000]);
    const { max } = latencyScale(spiky, null);
    expect(max).toBeLessThan(600);
    expect(clipped(spiky, max)).toEqual([{ left: expect.closeTo(0.995), value: 12_000 }]);
    expect(clipped(chart([100, 100]), 300)).toEqual([]);
  });

  test('includes the threshold unless that would flatten the lines', () => {
    const even = chart([100, 110]);
    expect(latencyScale(even, 800).max).toBeGreaterThanOrEqual(880);
    expect(latencyScale(even, 10_000).max).toBeLessThan(1000);
  });

  test('is drawn if there are no responses', () => {
    expect(latencyScale(chart([]), null).max).toBeGreaterThan(0);
  });
});

describe('chart line', () => {
  test('connects adjacent points and breaks at a gap of more than two intervals', () => {
    expect(subpaths(linePath(chart([10, 11, 12]), 'p50', 100, 60))).toBe(1);
    expect(subpaths(linePath(chart([10, null, 12]), 'p50', 100, 60))).toBe(1);
    expect(subpaths(linePath(chart([10, 11, null, null, 12, 13]), 'p50', 100, 60))).toBe(2);
  });

  test('does not cross a failed check', () => {
    expect(subpaths(linePath(chart([10, 11, 'down', 12, 13]), 'p50', 100, 60))).toBe(2);
  });

  test('has no value for a slot that is fully down, and one for a slot that is partly down', () => {
    const mixed = chart([10, 11, 12]);
    const points = mixed.points.map((point, index) =>
      index === 1 ? { ...point, status: 'down' as const, p50: 900, p95: 900, p99: 900 } : point,
    );
    const covered = { ...mixed, points, outages: [{ from: iso(1), to: iso(2), incidentId: null }] };
    expect(subpaths(linePath(covered, 'p50', 100, 60))).toBe(2);
    expect(latencyScale(covered, null).max).toBeLessThan(100);
    const partly = { ...covered, outages: [{ from: iso(1.25), to: iso(1.75), incidentId: null }] };
    expect(subpaths(linePath(partly, 'p50', 1000, 60))).toBe(1);
    expect(latencyScale(partly, null).max).toBeGreaterThanOrEqual(900);
  });

  test('spans slots that a long interval leaves empty', () => {
    expect(subpaths(linePath(chart([10, null, null, null, null, 12]), 'p50', 100, 300))).toBe(1);
  });

  test.each([
    ['the first slot', [50, null, null]],
    ['the current slot', [null, null, 50]],
  ])('keeps the dash of a single response in %s within the plot', (_slot, values) => {
    // The chart ends 6 s after the start of its last slot.
    const current = { ...chart(values), from: iso(0.1), to: iso(2.1) };
    const [, from, length] = /^M([\d.]+) 100h([\d.]+)$/.exec(linePath(current, 'p50', 100, 60)) ?? [];
    expect(Number(from)).toBeGreaterThanOrEqual(0);
    expect(Number(from) + Number(length)).toBeLessThanOrEqual(1000);
    expect(Number(length)).toBeGreaterThan(0);
  });

  test('draws a single response as a dash, and nothing without responses', () => {
    expect(linePath(chart([null, 50, null]), 'p50', 100, 60)).toMatch(/^M[\d.]+ 100h[\d.]+$/);
    expect(linePath(chart([null, null]), 'p50', 100, 60)).toBe('');
  });

  test('clips a value above the axis to its top', () => {
    expect(linePath(chart([500, 500]), 'p50', 100, 60)).toBe('M250 0L750 0');
  });
});

describe('chart gaps', () => {
  test('shows a gap after more than two intervals without a check', () => {
    expect(gaps(chart([1, 1, null, null, 1]), iso(-60), 60)).toEqual([]);
    expect(gaps(chart([1, null, null, null, 1]), iso(-60), 60)).toEqual([{ left: 0.2, width: expect.closeTo(0.6) }]);
  });

  test('shows a gap for time with unknown status', () => {
    const withoutChecks = chart([1, null, null, null, 1]);
    const points = withoutChecks.points.map((point) => ({ ...point, status: point.status ?? ('unknown' as const) }));
    expect(gaps({ ...withoutChecks, points }, iso(-60), 60)).toHaveLength(1);
  });

  test('shows no gap for a failed check', () => {
    expect(gaps(chart([1, 'down', 'down', 'down', 1]), iso(-60), 60)).toEqual([]);
  });

  test('shows no gap for the time before the monitor existed', () => {
    const young = chart([null, null, null, null, null, null, null, null, 1, 1]);
    expect(gaps(young, iso(8), 60)).toEqual([]);
    expect(gaps(young, iso(-60), 60)).toHaveLength(1);
  });

  test('extends a gap to now if checks have stopped', () => {
    expect(gaps(chart([1, 1, null, null, null]), iso(-60), 60)).toEqual([{ left: 0.4, width: expect.closeTo(0.6) }]);
  });
});

test('draws bars of at least one interval in the lane, each with its worst status', () => {
  expect(laneTicks(chart([1, 'down', null, null]), 120)).toEqual({ ticks: ['down', null], pitch: 500 });
});

test('draws the current slot up to now, with its point in the middle of the visible part', () => {
  const hours = { ...chart([10, 20, 30, 40]), to: iso(3.5) };
  const { ticks, pitch } = laneTicks(hours, 60);
  expect(ticks).toHaveLength(4);
  expect(pitch).toBeCloseTo(1000 / 3.5);
  expect(linePath(hours, 'p50', 40, 60)).toMatch(/L928\.6 0$/);
});

test('shows the last response in the legend, and none during an outage', () => {
  expect(lastAnswer(chart([10, 20, 'down']))?.p50).toBe(20);
  expect(lastAnswer(chart([10, 0]))?.p50).toBe(0);
  expect(lastAnswer(chart(['down']))).toBeNull();
  expect(lastAnswer(chart([10, 20, 'down'], [{ from: iso(2), to: iso(2.5), incidentId: null }]))?.p50).toBe(20);
  expect(lastAnswer(chart([10, 20, 'down'], [{ from: iso(2), to: null, incidentId: null }]))).toBeNull();
});

test('draws one line if each slot has one check, since percentiles of one value are that value', () => {
  const single = { ...chart([10, 20]), checksPerPart: 1 };
  expect(linesOf(single)).toEqual(['p50']);
  expect(linesOf({ ...single, checksPerPart: 2 })).toEqual(['p50', 'p95', 'p99']);
  expect(chartSentence(single, { since: iso(0), intervalSeconds: 60, measure: 'Run time', timeZone: 'UTC' })).toBe(
    'Run time over the last 2 minutes. Each took from 10 ms to 20 ms.',
  );
});

describe('comparison with the span before', () => {
  // The last slot is not over yet.
  const now = { ...chart([10, 20, 30]), from: iso(60), to: iso(62.5) };
  const shifted = now.points.map((point, index) => ({ ...point, at: iso(60 + index) }));
  const current = { ...now, points: shifted };
  const former = { ...chart([500, 600]), from: iso(58), to: iso(60) };
  const points = former.points.map((point, index) => ({ ...point, at: iso(58 + index) }));
  const before = { ...former, points, outages: [{ from: iso(58), to: null, incidentId: null }] };

  test('takes the whole parts before the chart', () => {
    expect(spanBefore(current)).toEqual({ since: iso(58), until: iso(60) });
    expect(spanBefore({ ...current, to: iso(60.5) })).toEqual({ since: iso(59), until: iso(60) });
  });

  test('moves the former values onto the time of the chart, and finds them there', () => {
    const moved = moveOnto(current, { ...before, outages: [] });
    expect(moved.points.map(({ at }) => at)).toEqual([iso(60), iso(61)]);
    expect(current.points.map((point) => medianAt(moved, point))).toEqual([500, 600, null]);
    expect(moveOnto(current, before).outages).toEqual([{ from: iso(60), to: null, incidentId: null }]);
  });

  test('includes the former medians in the axis and the text alternative', () => {
    const moved = moveOnto(current, { ...before, outages: [], overall: { p50: 550, p95: 600, p99: 600 } });
    expect(latencyScale(current, null).max).toBeLessThan(500);
    expect(latencyScale(current, null, moved).max).toBeGreaterThanOrEqual(600);
    const options = { since: iso(0), intervalSeconds: 60, measure: 'Response time', timeZone: 'UTC' };
    expect(chartSentence(current, { ...options, before: moved })).toContain(
      'The median was 550 ms in the previous 3 minutes.',
    );
    expect(chartSentence(current, options)).not.toContain('previous');
  });
});

test('maps a position on the plot to the slot under it', () => {
  const four = chart([1, 2, 3, 4]);
  expect([0, 0.26, 0.99, 1.2, -1].map((fraction) => pointAt(four, fraction))).toEqual([0, 1, 3, 3, 0]);
});

describe('chart labels', () => {
  const texts = (some: ChartData, timeZone: string) => axisLabels(some, timeZone).map(({ text }) => text);

  test('shows times of day on a short axis', () => {
    const three = chart(Array<number>(180).fill(1));
    const halves = ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00'];
    expect(texts(three, 'UTC')).toEqual(halves);
    expect(texts({ ...three, from: iso(-7), to: iso(173) }, 'UTC')).toEqual(halves.slice(0, -1));
    expect(axisLabels({ ...three, from: iso(-7), to: iso(173) }, 'UTC')[0]?.left).toBeCloseTo(7 / 180);
    expect(texts({ ...three, to: iso(24 * 60) }, 'Asia/Kolkata')).toEqual(
      expect.arrayContaining(['08:00', '12:00', '16:00', '20:00', '00:00', '04:00']),
    );
    const first = { ...chart(Array<number>(12).fill(1)), bucketSeconds: 5 };
    expect(texts(first, 'UTC').slice(0, 2)).toEqual(['00:00', '00:02']);
    expect(chartSentence(first, { since: iso(0), intervalSeconds: 60, measure: 'Response time' })).toContain(
      'Response time over the last 12 minutes.',
    );
  });

  test('shows midnights of the zone on a long axis, across a DST change, none in the future', () => {
    const week = { ...chart([1]), to: iso(7 * 24 * 60 + 90) };
    expect(texts(week, 'UTC')).toEqual(['17', '18', '19', '20', '21', '22', '23', '24'].map((day) => `${day} Nov`));
    const newYork = axisLabels(week, 'America/New_York');
    expect(newYork.map(({ text }) => text)).toEqual(['17', '18', '19', '20', '21', '22', '23'].map((d) => `${d} Nov`));
    expect(newYork[0]?.left).toBeCloseTo((5 * 60) / (7 * 24 * 60 + 90));
    const autumn = { ...week, from: '2026-10-22T12:00:00.000Z', to: '2026-10-29T12:00:00.000Z' };
    const lefts = axisLabels(autumn, 'Europe/Berlin').map(({ left }) => left * 7 * 24);
    expect(lefts.map((hours) => Math.round(hours * 10) / 10)).toEqual([10, 34, 58, 83, 107, 131, 155]);
    for (const days of [30, 90]) {
      const long = texts({ ...week, to: iso(days * 24 * 60) }, 'UTC');
      expect(long.length).toBeGreaterThan(4);
      expect(long.length).toBeLessThan(9);
    }
  });

  test('describes lines, gaps and outages in the text alternative', () => {
    const story = chart(
      [
        ...Array<number>(60).fill(100),
        ...Array<null>(30).fill(null),
        ...Array<number>(80).fill(900),
        ...Array<'down'>(10).fill('down'),
      ],
      [{ from: iso(170), to: null, incidentId: null }],
    );
    const options = { since: iso(0), intervalSeconds: 60, measure: 'Response time', timeZone: 'UTC' };
    const sentence = chartSentence(story, { ...options, since: iso(-60) });
    expect(sentence).toContain('Response time over the last 3 hours.');
    expect(sentence).toContain('p50 from 100 ms to 900 ms');
    expect(sentence).toContain('No data from 01:00 to 01:30.');
    expect(sentence).toContain('Down since 02:50.');
    expect(chartSentence(chart([null]), options)).toContain('No responses yet.');
  });

  const outages = [
    { from: iso(1), to: iso(2), incidentId: 'one' },
    { from: iso(3), to: iso(4), incidentId: null },
    { from: iso(80), to: null, incidentId: 'last' },
  ];
  const broken = chart(Array<number>(100).fill(1), outages);

  test('draws an outage from its start to its end or to now', () => {
    expect(outageSpans(broken).map(({ left, width }) => [left, width])).toEqual([
      [0.01, expect.closeTo(0.01)],
      [0.03, expect.closeTo(0.01)],
      [0.8, expect.closeTo(0.2)],
    ]);
  });

  test('links the labels of outages to their incidents', () => {
    const labels = topLabels(broken, { max: 1000, gaps: [], plotWidth: 2000, timeZone: 'UTC' });
    expect(new Map(labels.map(({ text, href }) => [text, href]))).toEqual(
      new Map([
        ['Down since 01:20', '/incidents/last'],
        ['Down 00:03 to 00:04', undefined],
        ['Down 00:01 to 00:02', '/incidents/one'],
      ]),
    );
  });

  test('keeps labels at the top apart, however narrow the plot is; the latest outage has priority', () => {
    const place = (plotWidth: number, some = broken, gaps: { left: number; width: number }[] = []) =>
      topLabels(some, { max: 1000, gaps, plotWidth, timeZone: 'UTC' });
    expect(place(1000).map(({ text, side, row }) => [text, side, row])).toEqual([
      ['Down since 01:20', 'right', 0],
      ['Down 00:03 to 00:04', 'right', 0],
      ['Down 00:01 to 00:02', 'right', 1],
    ]);
    expect(place(280).map(({ text, side, row }) => [text, side, row])).toEqual([
      ['Down since 01:20', 'left', 0],
      ['Down 00:03 to 00:04', 'right', 1],
    ]);
    const spiky = { ...broken, points: broken.points.map((p, i) => (i > 40 && i < 44 ? { ...p, p99: 4000 + i } : p)) };
    const gaps = [
      { left: 0.3, width: 0.1 },
      { left: 0.5, width: 0.1 },
    ];
    for (const plotWidth of [250, 400, 700, 1200]) {
      const spans = place(plotWidth, spiky, gaps).map(({ left, side, row, text }) => {
        const width = text.length * 6;
        const at = left * plotWidth - (side === 'left' ? width : side === 'centre' ? width / 2 : 0);
        return { row, from: at, to: at + width };
      });
      for (const a of spans) {
        const others = spans.filter((b) => b !== a && b.row === a.row);
        expect(others.filter((b) => b.from < a.to && a.from < b.to)).toEqual([]);
      }
      expect(spans.length).toBeGreaterThan(0);
    }
  });
});
