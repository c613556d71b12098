import { clockAt, momentsOf } from '@/app/_components/time/local-time';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/time/schema';
import { type ChartData, position } from './latency-geometry';

/** Possible distances between labels, in milliseconds. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 10, 15, 30].map((days) => days * DAY_MS),
];

/** The approximate number of labels on an axis. */
const LABELS = 7.5;

/** A label of the time axis: its position from 0 (start of the chart) to 1 (now), and its text. */
export interface AxisLabel {
  left: number;
  text: string;
}

/**
 * Labels at round wall-clock times in `timeZone` (an IANA name; default: the browser's): midnights if the chart spans days, otherwise whole hours or
 * minutes. No label is in the future.
 */
export function axisLabels(
  chart: ChartData,
  timeZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone,
): AxisLabel[] {
  const [from, to] = [Date.parse(chart.from), Date.parse(chart.to)];
  const step = STEPS.find((each) => (to - from) / each <= LABELS) ?? 30 * DAY_MS;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...(step < DAY_MS ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' }),
  });
  const labels: AxisLabel[] = [];
  for (let local = Math.ceil(clockAt(from, timeZone) / step) * step; ; local += step) {
    const [moment] = momentsOf(new Date(local).toISOString().slice(0, 19), timeZone);
    if (!moment || moment.getTime() > to) return labels;
    if (moment.getTime() >= from) labels.push({ left: position(chart, moment.getTime()), text: format.format(moment) });
  }
}
