'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { LatencyChart } from '@/app/_components/charts/latency-chart';
import { formatLatency } from '@/app/_components/format';
import { Section } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { type ChartRange, isPassive, type MonitorDetail } from '@/server/monitor-types/schema';
import { degradedAfter } from './degraded-after';
import { ranges, rangeWords } from './ranges';

/** The percentiles over the whole range. */
function overallWords({ p50, p95, p99 }: MonitorDetail['chart']['overall'], range: ChartRange): string {
  if (p50 === null) return `No data in the last ${rangeWords[range]}`;
  const figures = `p50 ${formatLatency(p50)}, p95 ${formatLatency(p95)}, p99 ${formatLatency(p99)}`;
  return `${figures} over the last ${rangeWords[range]}`;
}

/** The response time chart; its range is in the URL. */
export function ResponseTime({ detail, range }: { detail: MonitorDetail; range: ChartRange }) {
  const pathname = usePathname();
  const params = useSearchParams();
  const [asTable, setAsTable] = useState(false);
  const { monitor, chart } = detail;
  const measure = isPassive(monitor.type) ? 'Run time' : 'Response time';
  const choose = (value: ChartRange) => {
    const query = new URLSearchParams(params);
    if (value === '3h') query.delete('range');
    else query.set('range', value);
    const text = query.toString();
    window.history.pushState(null, '', text ? `${pathname}?${text}` : pathname);
  };
  return (
    <Section
      title={measure}
      actions={
        <>
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
      <p className="num -mt-2 mb-3 min-h-[18px] text-small text-faint">{overallWords(chart.overall, range)}</p>
      <LatencyChart
        chart={chart}
        measure={measure}
        since={monitor.createdAt}
        intervalSeconds={monitor.intervalSeconds}
        thresholdMs={degradedAfter(monitor)}
        asTable={asTable}
        onTableKey={() => setAsTable(!asTable)}
      />
    </Section>
  );
}
