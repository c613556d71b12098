import { formatLatency } from '@/app/_components/format';
import { type ChartData, gaps, latencyOf, linesOf, type Percentile } from './latency-geometry';

const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const seconds: Intl.DateTimeFormatOptions = { ...clock, second: '2-digit' };
const date: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };

function format(at: string | number, options: Intl.DateTimeFormatOptions, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone && { timeZone }) }).format(new Date(at));
}

/** The time format for a chart of up to 36 h, with seconds if its slots are shorter than a minute; null for longer charts. */
function timesOfDay({ from, to, bucketSeconds }: ChartData): Intl.DateTimeFormatOptions | null {
  if (Date.parse(to) - Date.parse(from) > 36 * 3_600_000) return null;
  return bucketSeconds < 60 ? seconds : clock;
}

/** The length of a chart in words: "24 hours". */
export function periodOf({ from, to }: Pick<ChartData, 'from' | 'to'>): string {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours <= 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** A time in the format of the chart's axis: "03:21", or "17 Nov 03:21" if the chart spans days. @param timeZone an IANA name */
export function chartTime(chart: ChartData, at: string | number, timeZone?: string): string {
  return format(at, timesOfDay(chart) ?? { ...date, ...clock }, timeZone).replace(',', '');
}

/** The label of an outage. */
export function outageLabel(chart: ChartData, outage: ChartData['outages'][number], timeZone?: string): string {
  const since = chartTime(chart, outage.from, timeZone);
  return outage.to === null ? `Down since ${since}` : `Down ${since} to ${chartTime(chart, outage.to, timeZone)}`;
}

/** "maintenance 03:00 to 05:00" */
export function maintenanceLabel(chart: ChartData, { from, to }: { from: string; to: string }, zone?: string): string {
  return `maintenance ${chartTime(chart, from, zone)} to ${chartTime(chart, to, zone)}`;
}

/** The name of a line: its percentile, or the measure if there is only one line. */
export function lineWord(chart: ChartData, which: Percentile, measure: string): string {
  return linesOf(chart).length > 1 ? which : measure.toLowerCase();
}

function beforeSentence(chart: ChartData, before: ChartData): string {
  const { p50 } = before.overall;
  const period = `the previous ${periodOf(chart)}`;
  return p50 === null ? `No responses in ${period}.` : `The median was ${formatLatency(p50)} in ${period}.`;
}

export interface SentenceOptions {
  /** When the monitor was created; ISO 8601. */
  since: string;
  intervalSeconds: number;
  /** The measure: "Response time". */
  measure: string;
  timeZone?: string | undefined;
  /** The chart of the span before, if it is compared. */
  before?: ChartData | null | undefined;
}

/** The text alternative of the chart. */
export function chartSentence(chart: ChartData, options: SentenceOptions): string {
  const { since, intervalSeconds, measure, timeZone, before } = options;
  const parts = linesOf(chart).flatMap((which) => {
    const values = chart.points.map((point) => latencyOf(chart, point, which)).filter((value) => value !== null);
    if (values.length === 0) return [];
    const [low, high] = [Math.min(...values), Math.max(...values)].map(formatLatency);
    const word = linesOf(chart).length > 1 ? `${which} ` : 'Each took ';
    return [low === high ? `${word}${low}` : `${word}from ${low} to ${high}`];
  });
  const span = Date.parse(chart.to) - Date.parse(chart.from);
  const missing = gaps(chart, since, intervalSeconds).map(({ left, width }) => {
    const start = Date.parse(chart.from) + left * span;
    return `No data from ${chartTime(chart, start, timeZone)} to ${chartTime(chart, start + width * span, timeZone)}.`;
  });
  const outages = chart.outages.slice(-5).map((outage) => `${outageLabel(chart, outage, timeZone)}.`);
  const lines = parts.length > 0 ? `${parts.join(', ')}.` : 'No responses yet.';
  const median = before ? [beforeSentence(chart, before)] : [];
  return [`${measure} over the last ${periodOf(chart)}.`, lines, ...median, ...missing.slice(-5), ...outages].join(' ');
}
