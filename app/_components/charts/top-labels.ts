import { formatLatency } from '@/app/_components/format';
import { outageLabel } from './chart-words';
import { type ChartData, clipped, position } from './latency-geometry';

/** A label at the top of the plot: its row, its position from 0 to 1, and the side of that position. */
export interface TopLabel {
  key: string;
  kind: 'outage' | 'spike' | 'gap';
  left: number;
  side: 'left' | 'right' | 'centre';
  row: 0 | 1;
  text: string;
  /** The page of an outage's incident. */
  href?: string | undefined;
}

/** The average character width of the smallest font and the padding of a label, in pixels. */
const CHARACTER_PX = 6.6;
const AROUND_PX = 16;

function extent({ left, side, text }: TopLabel, plotWidth: number): [from: number, to: number] {
  const width = text.length * CHARACTER_PX + AROUND_PX;
  const at = left * plotWidth;
  if (side === 'right') return [at, at + width];
  return side === 'left' ? [at - width, at] : [at - width / 2, at + width / 2];
}

/**
 * Places labels at the top of a plot of `plotWidth` pixels without overlaps. Outages have priority (latest first), then clipped spikes (highest
 * first), then gaps.
 */
export function topLabels(
  chart: ChartData,
  options: { max: number; gaps: { left: number; width: number }[]; plotWidth: number; timeZone?: string | undefined },
): TopLabel[] {
  const { max, gaps, plotWidth, timeZone } = options;
  const rows = [0, 1] as const;
  const beside = (label: Omit<TopLabel, 'side' | 'row'>, sides: TopLabel['side'][] = ['right', 'left']): TopLabel[] =>
    rows.flatMap((row) => sides.map((side) => ({ ...label, side, row })));
  const wanted: TopLabel[][] = [
    ...chart.outages.toReversed().map((outage) =>
      beside({
        key: `outage ${outage.from}`,
        kind: 'outage',
        left: position(chart, outage.from),
        text: outageLabel(chart, outage, timeZone),
        href: outage.incidentId === null ? undefined : `/incidents/${outage.incidentId}`,
      }),
    ),
    ...clipped(chart, max)
      .toSorted((a, b) => b.value - a.value)
      .map(({ left, value }) => {
        const label = { key: `spike ${left}`, kind: 'spike' as const, left, text: `▲ ${formatLatency(value)}` };
        return beside(label, ['centre', 'right', 'left']);
      }),
    ...gaps.map(({ left, width }): TopLabel[] => [
      { key: `gap ${left}`, kind: 'gap', left: left + width, side: 'right', row: 0, text: 'no data' },
    ]),
  ];
  const taken: { row: number; from: number; to: number }[] = [];
  return wanted.flatMap((candidates) => {
    const fitting = candidates.find((label) => {
      const [from, to] = extent(label, plotWidth);
      return (
        from >= -1 &&
        to <= plotWidth + 1 &&
        taken.every((each) => each.row !== label.row || to <= each.from || from >= each.to)
      );
    });
    if (!fitting) return [];
    const [from, to] = extent(fitting, plotWidth);
    taken.push({ row: fitting.row, from, to });
    return [fitting];
  });
}

/** Outages as parts of the plot's width. */
export function outageSpans(chart: ChartData): { key: string; left: number; width: number }[] {
  return chart.outages.flatMap(({ from, to }) => {
    const left = position(chart, from);
    const width = (to === null ? 1 : position(chart, to)) - left;
    return width > 0 || left < 1 ? [{ key: from, left, width }] : [];
  });
}
