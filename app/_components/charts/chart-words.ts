import { formatLatency } from '@/app/_components/format';
import { type ChartData, gaps, latencyOf, percentiles, position } from './latency-geometry';

const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const seconds: Intl.DateTimeFormatOptions = { ...clock, second: '2-digit' };
const date: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };

function format(at: string | number, options: Intl.DateTimeFormatOptions, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone && { timeZone }) }).format(new Date(at));
}

/** The times of day of a chart that is short enough to have them on its axis; to the second where its parts are shorter than a minute. */
function timesOfDay({ from, to, bucketSeconds }: ChartData): Intl.DateTimeFormatOptions | null {
  if (Date.parse(to) - Date.parse(from) > 36 * 3_600_000) return null;
  return bucketSeconds < 60 ? seconds : clock;
}

function periodOf({ from, to }: ChartData): string {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours <= 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** A moment in the words of the chart's axis: "03:21", or "17 Nov 03:21" where the chart spans days. `timeZone` as IANA names it. */
export function chartTime(chart: ChartData, at: string | number, timeZone?: string): string {
  return format(at, timesOfDay(chart) ?? { ...date, ...clock }, timeZone).replace(',', '');
}

/** Seven labels at equal distances; the odd ones may give way on a narrow screen. */
export function axisLabels(chart: ChartData, timeZone?: string): { left: number; text: string }[] {
  const from = Date.parse(chart.from);
  const span = Date.parse(chart.to) - from;
  const options = timesOfDay(chart) ?? date;
  return Array.from({ length: 7 }, (_, index) => ({
    left: index / 6,
    text: format(from + (span * index) / 6, options, timeZone),
  }));
}

/** The words on an outage's flag. */
export function outageLabel(chart: ChartData, outage: ChartData['outages'][number], timeZone?: string): string {
  const since = chartTime(chart, outage.from, timeZone);
  return outage.to === null ? `Down since ${since}` : `Down ${since} to ${chartTime(chart, outage.to, timeZone)}`;
}

/** The chart as one sentence or a few, for those who do not see it. */
export function chartSentence(chart: ChartData, since: string, intervalSeconds: number, timeZone?: string): string {
  const parts = percentiles.flatMap((which) => {
    const values = chart.points.map((point) => latencyOf(chart, point, which)).filter((value) => value !== null);
    if (values.length === 0) return [];
    const [low, high] = [Math.min(...values), Math.max(...values)].map(formatLatency);
    return [low === high ? `${which} ${low}` : `${which} from ${low} to ${high}`];
  });
  const span = Date.parse(chart.to) - Date.parse(chart.from);
  const missing = gaps(chart, since, intervalSeconds).map(({ left, width }) => {
    const start = Date.parse(chart.from) + left * span;
    return `No data from ${chartTime(chart, start, timeZone)} to ${chartTime(chart, start + width * span, timeZone)}.`;
  });
  const outages = chart.outages.slice(-5).map((outage) => `${outageLabel(chart, outage, timeZone)}.`);
  const lines = parts.length > 0 ? `${parts.join(', ')}.` : 'No answers yet.';
  return [`Response time over ${periodOf(chart)}.`, lines, ...missing.slice(-5), ...outages].join(' ');
}

/** Outages as spans of the width, the last ones flagged as long as their flags do not meet. */
export function outageSpans(chart: ChartData, timeZone?: string) {
  let free = 1.3;
  return chart.outages
    .toReversed()
    .map((outage) => {
      const left = position(chart, outage.from);
      const right = outage.to === null ? 1 : position(chart, outage.to);
      const flagged = free - left > 0.24 && right > 0;
      if (flagged) free = left;
      const text = flagged ? outageLabel(chart, outage, timeZone) : null;
      return { key: outage.from, left, width: right - left, text };
    })
    .filter(({ left, width }) => width > 0 || left < 1);
}
