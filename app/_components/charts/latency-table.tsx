'use client';

import { useEffect, useRef } from 'react';
import { formatLatency } from '@/app/_components/format';
import { StateLabel } from '@/app/_components/status/state-label';
import { useTimeZone } from '@/app/_components/time/time-zone';
import { chartTime, periodOf } from './chart-words';
import { type ChartData, latencyOf, linesOf, medianAt } from './latency-geometry';

export interface LatencyTableProps {
  chart: ChartData;
  /** The chart of the span before, moved onto the time of this one; null if it is not compared. */
  before: ChartData | null;
  /** The measure: "Response time". */
  measure: string;
  /** Whether a key press opened the table, which then takes the focus. T switches back. */
  takesFocus: boolean;
  onTableKey: () => void;
}

/** The values of the chart, newest first, without slots that have no checks. */
export function LatencyTable({ chart, before, measure, takesFocus, onTableKey }: LatencyTableProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [takesFocus]);
  const timeZone = useTimeZone();
  const points = chart.points.filter(({ status, p50 }) => status !== null || p50 !== null).toReversed();
  return (
    <section
      ref={box}
      aria-label={`${measure} as a table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it only while it has the focus
      tabIndex={0}
      onKeyDown={(event) => event.key === 't' && !event.metaKey && !event.ctrlKey && onTableKey()}
      className="max-h-[300px] overflow-auto [--head-top:0px]"
    >
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Result</th>
            {linesOf(chart).map((which, _, lines) => (
              <th key={which} scope="col" className="r">
                {lines.length > 1 ? which : measure}
              </th>
            ))}
            {before ? (
              <th scope="col" className="r">
                {linesOf(chart).length > 1 ? 'p50, previous' : 'Previous'} {periodOf(chart)}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.at}>
              <td className="font-mono text-small">{chartTime(chart, point.at, timeZone)}</td>
              <td>{point.status ? <StateLabel state={point.status} /> : '–'}</td>
              {linesOf(chart).map((which) => (
                <td key={which} className="r">
                  {formatLatency(latencyOf(chart, point, which))}
                </td>
              ))}
              {before ? <td className="r">{formatLatency(medianAt(before, point))}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
