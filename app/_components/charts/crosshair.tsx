'use client';

import { useEffect, useRef } from 'react';
import { cn } from '@/app/_components/cn';
import { formatLatency } from '@/app/_components/format';
import { stateWords } from '@/app/_components/status/states';
import { useTimeZone } from '@/app/_components/time/time-zone';
import { chartTime, lineWord } from './chart-words';
import { type ChartData, latencyOf, linesOf, middle, pointAt } from './latency-geometry';
import { LineKey, lineClass } from './latency-legend';
import { slideTo } from './slider-keys';

export interface CrosshairProps {
  chart: ChartData;
  /** The measure: "Response time". */
  measure: string;
  /** The index of the point under the crosshair. */
  active: number | null;
  onActive: (index: number | null) => void;
  /** Whether a key press replaced the table with the chart, which then takes the focus. */
  takesFocus: boolean;
  onTableKey: () => void;
}

/** An overlay that shows the values at the pointer. Arrow keys, Home and End move it; T switches to the table. */
export function Crosshair({ chart, measure, active, onActive, takesFocus, onTableKey }: CrosshairProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [takesFocus]);
  const timeZone = useTimeZone();
  const last = chart.points.length - 1;
  const index = active === null ? null : Math.min(active, last);
  const point = index === null ? null : (chart.points[index] ?? null);
  const left = point ? middle(chart, point) : 0;
  const time = point ? chartTime(chart, point.at, timeZone) : '';

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 't' && !event.metaKey && !event.ctrlKey) return onTableKey();
    const to = slideTo(event, { index, last, leap: 10 });
    if (to === undefined) return;
    event.preventDefault();
    onActive(to);
  };

  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label="Point in time"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index ?? last}
      aria-valuetext={
        point ? `${time}: ${reading(chart, measure, point)}` : 'Arrow keys move through the values, T shows a table.'
      }
      onKeyDown={onKeyDown}
      onPointerMove={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onActive(pointAt(chart, (event.clientX - box.left) / box.width));
      }}
      onPointerLeave={() => onActive(null)}
      onBlur={() => onActive(null)}
      className="absolute inset-0 touch-pan-y"
    >
      {point ? (
        <>
          <div style={{ left: `${left * 100}%` }} className="absolute inset-y-0 w-px bg-chart-crosshair" />
          <div
            style={
              left > 0.5 ? { right: `calc(${(1 - left) * 100}% + 10px)` } : { left: `calc(${left * 100}% + 10px)` }
            }
            className="num pointer-events-none absolute top-8 z-10 min-w-[148px] rounded-2 border bg-raised px-2.5 py-2 text-small shadow-2"
          >
            <span className="font-mono text-faint">{time}</span>
            {linesOf(chart).map((which) => (
              <div
                key={which}
                className={cn('flex items-center gap-2', latencyOf(chart, point, which) === null && 'hidden')}
              >
                <LineKey className={lineClass[which]} />
                <span>{lineWord(chart, which, measure)}</span>
                <span className="ml-auto font-mono">{formatLatency(latencyOf(chart, point, which))}</span>
              </div>
            ))}
            {point.status !== 'up' || point.p50 === null ? (
              <div>{point.status ? stateWords[point.status] : 'No data'}</div>
            ) : null}
          </div>
        </>
      ) : null}
    </div>
  );
}

function reading(chart: ChartData, measure: string, point: ChartData['points'][number]): string {
  const values = linesOf(chart).flatMap((which) => {
    const value = latencyOf(chart, point, which);
    return value === null ? [] : [`${lineWord(chart, which, measure)} ${formatLatency(value)}`];
  });
  const status = point.status ? stateWords[point.status] : 'No data';
  return [status, ...values].join(', ');
}
