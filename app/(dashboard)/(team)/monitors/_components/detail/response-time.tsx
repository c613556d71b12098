'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { LatencyChart } from '@/app/_components/charts/latency-chart';
import { Button } from '@/app/_components/ui/button';
import { Section } from '@/app/_components/ui/page';
import { Segmented } from '@/app/_components/ui/segmented';
import type { ChartRange, MonitorDetail } from '@/server/monitors/schema';
import { degradedAfter } from './address';
import { ranges } from './ranges';

/** How fast the monitor answered, with its range in the URL. */
export function ResponseTime({ detail, range }: { detail: MonitorDetail; range: ChartRange }) {
  const pathname = usePathname();
  const params = useSearchParams();
  const [asTable, setAsTable] = useState(false);
  const { monitor, chart } = detail;
  const choose = (value: ChartRange) => {
    const query = new URLSearchParams(params);
    if (value === '3h') query.delete('range');
    else query.set('range', value);
    const text = query.toString();
    window.history.replaceState(null, '', text ? `${pathname}?${text}` : pathname);
  };
  return (
    <Section
      title={monitor.type === 'heartbeat' ? 'Run time' : 'Response time'}
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
          <Segmented label="Range" options={ranges} value={range} onValueChange={choose} />
        </>
      }
    >
      <LatencyChart
        chart={chart}
        since={monitor.createdAt}
        intervalSeconds={monitor.intervalSeconds}
        thresholdMs={degradedAfter(monitor)}
        asTable={asTable}
        onTableKey={() => setAsTable(!asTable)}
      />
    </Section>
  );
}
