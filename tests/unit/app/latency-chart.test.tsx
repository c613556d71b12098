import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { LatencyChart } from '@/app/_components/charts/latency-chart';
import type { ChartData } from '@/app/_components/charts/latency-geometry';
import { TimeZoneProvider } from '@/app/_components/time/time-zone';

const at = (hours: number) => new Date(Date.parse('2026-11-17T00:00:00.000Z') + hours * 3_600_000).toISOString();

function maintenance(from: number, to: number, windowId: string) {
  return { from: at(from), to: at(to), windowId };
}

it('gives links to maintenance windows names that differ', () => {
  const chart: ChartData = {
    from: at(0),
    to: at(24),
    bucketSeconds: 3_600,
    checksPerPart: 60,
    points: [{ at: at(0), status: 'up', p50: 100, p95: 200, p99: 300 }],
    overall: { p50: 100, p95: 200, p99: 300 },
    outages: [],
    exclusions: [],
    maintenance: [maintenance(3, 5, 'first'), maintenance(12, 13, 'second')],
  };
  const shared = { before: null, measure: 'Response time', since: at(0), intervalSeconds: 60, thresholdMs: null };
  const html = renderToStaticMarkup(
    <TimeZoneProvider value="UTC">
      <LatencyChart chart={chart} {...shared} asTable={false} onZoom={vi.fn()} onTableKey={vi.fn()} />
    </TimeZoneProvider>,
  );
  const names = [...html.matchAll(/<a [^>]*aria-label="([^"]+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['maintenance 03:00 to 05:00', 'maintenance 12:00 to 13:00']);
});
