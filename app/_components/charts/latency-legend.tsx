import { formatLatency } from '@/app/_components/format';
import { lineWord, periodOf } from './chart-words';
import { type ChartData, lastAnswer, linesOf, type Percentile } from './latency-geometry';

/** The lines differ in weight and dash, not only in color. */
export const lineClass: Record<Percentile, string> = {
  p50: 'fill-none stroke-chart-p50 stroke-2 [stroke-linejoin:round]',
  p95: 'fill-none stroke-chart-p95 stroke-[1.5] [stroke-linejoin:round]',
  p99: 'fill-none stroke-chart-p99 stroke-[1.25] [stroke-linejoin:round] [stroke-dasharray:4_2.5]',
};

/** The median of the span before: lighter than the lines of the chart. */
export const beforeClass = 'fill-none stroke-chart-axis stroke-[1.5] opacity-70 [stroke-linejoin:round]';

/** A line sample. */
export function LineKey({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 16 8" aria-hidden="true" className="h-2 w-4 shrink-0 overflow-visible">
      <path d="M0 4H16" className={className} />
    </svg>
  );
}

/** The legend with the latest value of each line. */
export function LatencyLegend({
  chart,
  measure,
  thresholdMs,
  gaps,
  before,
}: {
  chart: ChartData;
  /** The chart of the span before, if it is compared. */
  before: ChartData | null;
  /** The measure: "Response time". */
  measure: string;
  thresholdMs: number | null;
  gaps: boolean;
}) {
  const last = lastAnswer(chart);
  const item = 'inline-flex items-center gap-1.5 whitespace-nowrap';
  return (
    <ul className="mt-2.5 ml-13 flex flex-wrap gap-x-4 gap-y-1 text-small text-muted">
      {linesOf(chart).map((which) => (
        <li key={which} className={item}>
          <LineKey className={lineClass[which]} />
          {lineWord(chart, which, measure)}{' '}
          <b className="font-mono leading-none font-medium text-ink">{formatLatency(last?.[which] ?? null)}</b>
        </li>
      ))}
      {before ? (
        <li className={item}>
          <LineKey className={beforeClass} />
          {linesOf(chart).length > 1 ? 'p50, ' : ''}previous {periodOf(chart)}{' '}
          <b className="font-mono leading-none font-medium text-ink">{formatLatency(before.overall.p50)}</b>
        </li>
      ) : null}
      {thresholdMs === null ? null : (
        <li className={item}>
          <LineKey className="stroke-degraded-solid stroke-[1.5] [stroke-dasharray:2_3]" />
          degraded after {formatLatency(thresholdMs)}
        </li>
      )}
      {gaps ? (
        <li className={item}>
          <i
            aria-hidden="true"
            className="h-2.5 w-4 shrink-0 rounded-[2px] bg-[repeating-linear-gradient(135deg,var(--chart-axis)_0_1px,transparent_1px_4px)]"
          />
          no data
        </li>
      ) : null}
    </ul>
  );
}
