'use client';

import Link from 'next/link';
import { useEffect, useState } from 'react';
import { cn } from '@/app/_components/cn';
import { formatLatency } from '@/app/_components/format';
import { useTimeZone } from '@/app/_components/time/time-zone';
import { axisLabels } from './axis';
import { laneSeverity, stripSentence } from './bars';
import { chartSentence, maintenanceLabel } from './chart-words';
import { Crosshair } from './crosshair';
import {
  bands,
  type ChartData,
  type ChartSpan,
  gaps,
  HEIGHT,
  laneTicks,
  latencyScale,
  linePath,
  linesOf,
  moveOnto,
  WIDTH,
} from './latency-geometry';
import { beforeClass, LatencyLegend, lineClass } from './latency-legend';
import { LatencyTable } from './latency-table';
import { Bars } from './strip';
import { outageSpans, type TopLabel, topLabels } from './top-labels';

/** The width of an element in pixels and its ref; null on the server and in the first render. */
export function useWidth<Element extends HTMLElement>(): [(element: Element | null) => void, number | null] {
  const [element, setElement] = useState<Element | null>(null);
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width];
}

export interface LatencyChartProps {
  chart: ChartData;
  /** The chart of the span before, to compare; null to draw none. */
  before: ChartData | null;
  /** The measure: "Response time". */
  measure: string;
  /** The creation time of the monitor; ISO 8601. Earlier time does not count as a gap. */
  since: string;
  intervalSeconds: number;
  /** The threshold in ms above which a response counts as degraded. */
  thresholdMs: number | null;
  /** Called with the part of the chart that was dragged over, or selected by keyboard. */
  onZoom: (span: ChartSpan) => void;
  /** Shows a table instead of the chart. */
  asTable: boolean;
  /** Called when T is pressed, to switch between chart and table. */
  onTableKey: () => void;
}

/** Response time as p50, p95 and p99 with hatched gaps, outages as spans, and check results in a lane below. */
export function LatencyChart(props: LatencyChartProps) {
  const { chart, measure, since, intervalSeconds, thresholdMs, onZoom, asTable, onTableKey } = props;
  const before = props.before && moveOnto(chart, props.before);
  const [plot, plotWidth] = useWidth<HTMLDivElement>();
  const timeZone = useTimeZone();
  const [active, setActive] = useState<number | null>(null);
  const [byKey, setByKey] = useState(false);
  const turn = () => {
    setByKey(true);
    onTableKey();
  };
  if (asTable)
    return <LatencyTable chart={chart} before={before} measure={measure} takesFocus={byKey} onTableKey={turn} />;
  const { max, ticks } = latencyScale(chart, thresholdMs, before);
  const missing = gaps(chart, since, intervalSeconds);
  const lane = laneTicks(chart, intervalSeconds);
  const labels = plotWidth === null ? [] : topLabels(chart, { max, gaps: missing, plotWidth, timeZone });
  return (
    <>
      <figure className="grid grid-cols-[52px_minmax(0,1fr)]">
        <div aria-hidden="true" className="relative">
          {ticks.map((tick) => (
            <span
              key={tick}
              style={{ bottom: `${(tick / max) * 100}%` }}
              className="absolute right-2.5 translate-y-1/2 font-mono text-micro leading-none whitespace-nowrap text-chart-axis"
            >
              {tick === 0 ? '0' : formatLatency(tick)}
            </span>
          ))}
        </div>
        <div ref={plot} className="relative h-[216px]">
          {missing.map(({ left, width }) => (
            <div key={left} style={{ left: `${left * 100}%`, width: `${width * 100}%` }} className="absolute inset-y-0">
              <div className="size-full bg-[repeating-linear-gradient(135deg,var(--hatch)_0_1px,transparent_1px_6px)] opacity-75" />
            </div>
          ))}
          {bands(chart, chart.maintenance).map(({ left, width, windowId }) => (
            <div
              key={`${left} ${width}`}
              data-state="maintenance"
              style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
              className="absolute inset-y-0 overflow-hidden border-x border-s-solid/40 bg-[color-mix(in_oklab,var(--s-solid)_10%,transparent)]"
            >
              {windowId === null ? <span className={bandLabelClass}>maintenance</span> : null}
            </div>
          ))}
          {bands(chart, chart.exclusions).map(({ left, width }) => (
            <div
              key={`${left} ${width}`}
              style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
              className="absolute inset-y-0 overflow-hidden border-x border-dashed border-strong"
            >
              <span className={bandLabelClass}>excluded</span>
            </div>
          ))}
          {outageSpans(chart).map(({ key, left, width }) => (
            <div
              key={key}
              data-state="down"
              style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
              className="absolute inset-y-0 border-l border-s-solid bg-[color-mix(in_oklab,var(--s-solid)_12%,transparent)]"
            />
          ))}
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={chartSentence(chart, { since, intervalSeconds, measure, timeZone, before })}
            className="absolute inset-0 block size-full overflow-visible [&_path]:[vector-effect:non-scaling-stroke]"
          >
            {ticks.map((tick) => (
              <path key={tick} d={`M0 ${HEIGHT - (tick / max) * HEIGHT}H${WIDTH}`} className="stroke-chart-grid" />
            ))}
            {thresholdMs !== null && thresholdMs <= max ? (
              <path
                d={`M0 ${HEIGHT - (thresholdMs / max) * HEIGHT}H${WIDTH}`}
                className="stroke-degraded-solid [stroke-dasharray:2_3]"
              />
            ) : null}
            {before ? <path d={linePath(before, 'p50', max, intervalSeconds)} className={beforeClass} /> : null}
            {linesOf(chart)
              .toReversed()
              .map((which) => (
                <path key={which} d={linePath(chart, which, max, intervalSeconds)} className={lineClass[which]} />
              ))}
          </svg>
          {labels.map(({ key, ...label }) => (label.href ? null : <Label key={key} {...label} />))}
          <Crosshair
            chart={chart}
            before={before}
            measure={measure}
            active={active}
            onActive={setActive}
            onZoom={onZoom}
            takesFocus={byKey}
            onTableKey={turn}
          />
          {/* After the crosshair, which would cover them. */}
          {bands(chart, chart.maintenance).map(({ left, width, windowId, ...span }) =>
            windowId === null ? null : (
              <Link
                key={`${left} ${width}`}
                aria-label={maintenanceLabel(chart, span, timeZone)}
                href={`/maintenance/${windowId}`}
                prefetch={false}
                style={{
                  left: `min(${left * 100}% + 4px, 100% - 24px)`,
                  maxWidth: `max(24px, calc(${width * 100}% - 8px))`,
                }}
                className="absolute bottom-0 truncate bg-surface px-0.5 py-1 text-micro text-muted underline decoration-line underline-offset-2 hover:text-ink"
              >
                maintenance
              </Link>
            ),
          )}
          {labels.map(({ key, ...label }) => (label.href ? <Label key={key} {...label} /> : null))}
        </div>
        <div className="relative col-start-2 h-3.5 border-b border-strong">
          <Bars
            ticks={lane.ticks}
            label={stripSentence(lane.ticks, 'Check results')}
            height={14}
            pitch={lane.pitch}
            width={lane.pitch * 0.76}
            line={1.5}
            total={WIDTH}
            heights={laneSeverity}
            className="absolute inset-0 size-full"
          />
        </div>
        <div aria-hidden="true" className="relative col-start-2 h-[22px]">
          {axisLabels(chart, timeZone).map(({ left, text }, index) => (
            <span
              key={left}
              // Keeps half a label's width from the right edge. A character of the mono font is 1ch wide.
              style={{ left: `min(${left * 100}%, calc(100% - ${text.length / 2}ch))` }}
              className={cn(
                'absolute top-[7px] -translate-x-1/2 font-mono text-micro leading-none whitespace-nowrap text-chart-axis',
                index % 2 === 1 && 'max-lg:hidden',
              )}
            >
              {text}
            </span>
          ))}
        </div>
      </figure>
      <LatencyLegend
        chart={chart}
        before={before}
        measure={measure}
        thresholdMs={thresholdMs}
        gaps={missing.length > 0}
      />
    </>
  );
}

const bandLabelClass = 'absolute bottom-1 left-1 bg-surface px-0.5 text-micro whitespace-nowrap text-muted';

const labelClass: Record<TopLabel['kind'], string> = {
  outage: 'bg-s-solid px-1.5 py-0.5 font-medium text-s-on',
  spike: 'bg-surface px-0.5 font-mono leading-3 text-muted',
  gap: 'ml-1.5 bg-surface text-faint',
};

const sideClass: Record<TopLabel['side'], string> = {
  left: '-translate-x-full',
  right: '',
  centre: '-translate-x-1/2',
};

/** The offsets of the label rows from the top of the plot in pixels. */
const tops: Record<TopLabel['kind'], [first: number, second: number]> = {
  outage: [-1, 21],
  spike: [-4, 26],
  gap: [4, 26],
};

function Label({ kind, left, side, row, text, href }: Omit<TopLabel, 'key'>) {
  const corner = kind === 'outage' && (side === 'left' ? 'rounded-l-1' : 'rounded-r-1');
  const shared = {
    'data-state': kind === 'outage' ? 'down' : undefined,
    style: { left: `${left * 100}%`, top: tops[kind][row] },
    className: cn('absolute text-micro whitespace-nowrap', labelClass[kind], sideClass[side], corner),
  };
  if (!href) return <span {...shared}>{text}</span>;
  return (
    <Link {...shared} href={href} prefetch={false} className={cn(shared.className, 'hover:underline')}>
      {text}
    </Link>
  );
}
