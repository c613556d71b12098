'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { LatencyChart } from '@/app/_components/charts/latency-chart';
import { type ChartSpan, spanBefore } from '@/app/_components/charts/latency-geometry';
import { cn } from '@/app/_components/cn';
import { FailedQuery } from '@/app/_components/failed-query';
import { formatLatency } from '@/app/_components/format';
import { Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { useTRPC } from '@/app/_trpc/client';
import type { ChartRange } from '@/server/monitor-lists/schema';
import { isPassive, LONGEST_CHART_MS, SHORTEST_CHART_MS } from '@/server/monitor-lists/values';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { degradedAfter } from './degraded-after';
import { ranges, rangeWords } from './ranges';

/** The percentiles over the whole range. */
function overallWords({ p50, p95, p99 }: MonitorDetail['chart']['overall']): string {
  if (p50 === null) return 'No data';
  return `p50 ${formatLatency(p50)}, p95 ${formatLatency(p95)}, p99 ${formatLatency(p99)}`;
}

/** The span between two times in the URL; null without a valid one. */
function toSpan(since: string | null, until: string | null): ChartSpan | null {
  const [from, to] = [Date.parse(since ?? ''), Date.parse(until ?? '')];
  if (!(to - from >= SHORTEST_CHART_MS && to - from <= LONGEST_CHART_MS) || from > Date.now()) return null;
  return { since: new Date(from).toISOString(), until: new Date(to).toISOString() };
}

/** The span that the chart is zoomed into, stored in the URL; null without a valid one. */
function useZoom(): [ChartSpan | null, (changes: Record<string, string | null>) => void] {
  const pathname = usePathname();
  const params = useSearchParams();
  const set = (changes: Record<string, string | null>) => {
    const query = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    const text = query.toString();
    window.history.pushState(null, '', text ? `${pathname}?${text}` : pathname);
  };
  return [toSpan(params.get('since'), params.get('until')), set];
}

/** Whether the chart is compared with the period before it; in the URL. */
const useIsCompared = () => useSearchParams().get('compare') === 'before';

const lengthOf = (from: string, to: string) => Date.parse(to) - Date.parse(from);

const isAsLong = (chart: MonitorDetail['chart'] | undefined, { since, until }: ChartSpan): boolean =>
  chart !== undefined && lengthOf(chart.from, chart.to) === lengthOf(since, until);

/** The response time chart; its range, or the part that it is zoomed into, is in the URL. */
export function ResponseTime({ detail, range }: { detail: MonitorDetail; range: ChartRange }) {
  const trpc = useTRPC();
  const [asTable, setAsTable] = useState(false);
  const { monitor } = detail;
  const [zoom, setUrl] = useZoom();
  const zoomed = useQuery(
    trpc.monitors.chart.queryOptions(
      { id: monitor.id, since: zoom?.since ?? '', until: zoom?.until ?? '' },
      { enabled: zoom !== null, placeholderData: keepPreviousData, staleTime: 60_000 },
    ),
  );
  const chart = (zoom && zoomed.data?.chart) ?? detail.chart;
  const isCompared = useIsCompared();
  const before = useQuery(
    trpc.monitors.chart.queryOptions(
      { id: monitor.id, ...spanBefore(chart) },
      { enabled: isCompared, placeholderData: keepPreviousData, staleTime: 60_000 },
    ),
  );
  // While another range loads, the data is still that of the last one.
  const isOfOtherLength = before.isPlaceholderData && !isAsLong(before.data?.chart, spanBefore(chart));
  const isWaiting = zoom !== null && (zoomed.isPending || zoomed.isPlaceholderData);
  const measure = isPassive(monitor.type) ? 'Run time' : 'Response time';
  const choose = (value: ChartRange) => setUrl({ range: value === '3h' ? null : value, since: null, until: null });
  return (
    <Section
      title={measure}
      actions={
        <>
          {zoom ? (
            <Button size="small" onClick={() => setUrl({ since: null, until: null })}>
              Reset zoom
            </Button>
          ) : null}
          <Button
            size="small"
            variant="plain"
            aria-pressed={isCompared}
            onClick={() => setUrl({ compare: isCompared ? null : 'before' })}
          >
            Compare with previous period
          </Button>
          <Button
            size="small"
            variant="plain"
            aria-pressed={asTable}
            aria-keyshortcuts="t"
            onClick={() => setAsTable(!asTable)}
          >
            Table
          </Button>
          <ToggleGroup label="Range" options={ranges} value={range} onValueChange={choose} />
        </>
      }
    >
      {/* On a separate line, because its length changes with each update and the text would sometimes wrap beside the buttons. */}
      <p className="num -mt-2 mb-3 min-h-[18px] text-small text-faint">
        {overallWords(chart.overall)}{' '}
        {zoom ? (
          <>
            from <Timestamp full at={zoom.since} /> to <Timestamp full at={zoom.until} />
          </>
        ) : (
          `over the last ${rangeWords[range]}`
        )}
      </p>
      {zoom && zoomed.isError ? (
        <FailedQuery query={zoomed} title="Could not load this part of the chart">
          The whole range is shown.
        </FailedQuery>
      ) : null}
      {isCompared && before.isError ? (
        <FailedQuery query={before} title="Could not load the previous period">
          The chart is shown without it.
        </FailedQuery>
      ) : null}
      <div aria-busy={isWaiting || undefined} className={cn(isWaiting && 'opacity-60')}>
        <LatencyChart
          chart={chart}
          before={isCompared && !isOfOtherLength ? (before.data?.chart ?? null) : null}
          measure={measure}
          since={monitor.createdAt}
          intervalSeconds={monitor.intervalSeconds}
          thresholdMs={degradedAfter(monitor)}
          onZoom={(span) => setUrl({ ...span })}
          asTable={asTable}
          onTableKey={() => setAsTable(!asTable)}
        />
      </div>
    </Section>
  );
}
