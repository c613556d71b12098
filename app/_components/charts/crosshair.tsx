'use client';

import { useEffect, useRef, useState } from 'react';
import { cn } from '@/app/_components/cn';
import { formatLatency } from '@/app/_components/format';
import { stateWords } from '@/app/_components/status/states';
import { useTimeZone } from '@/app/_components/time/time-zone';
import { chartTime, lineWord, periodOf } from './chart-words';
import {
  type ChartData,
  type ChartSpan,
  latencyOf,
  linesOf,
  medianAt,
  middle,
  pointAt,
  spanOf,
} from './latency-geometry';
import { beforeClass, LineKey, lineClass } from './latency-legend';
import { slideTo } from './slider-keys';

/** A shorter movement is a click. */
const SHORTEST_DRAG_PX = 6;

export interface CrosshairProps {
  chart: ChartData;
  /** The chart of the span before, moved onto the time of this one; null if it is not compared. */
  before: ChartData | null;
  /** The measure: "Response time". */
  measure: string;
  /** The index of the point under the crosshair. */
  active: number | null;
  onActive: (index: number | null) => void;
  onZoom: (span: ChartSpan) => void;
  /** Whether a key press replaced the table with the chart, which then takes the focus. */
  takesFocus: boolean;
  onTableKey: () => void;
}

/**
 * An overlay that shows the values at the pointer. Arrow keys, Home and End move it; T switches to the table. Dragging, or Enter at both ends, selects a
 * part to zoom into.
 */
export function Crosshair(props: CrosshairProps) {
  const { chart, before, measure, active, onActive, onZoom, takesFocus, onTableKey } = props;
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
  const medianBefore = before && point ? medianAt(before, point) : null;

  // The point at which the selection of a part began.
  const [anchor, setAnchor] = useState<number | null>(null);
  // The position in pixels at which the pointer went down.
  const downAt = useRef<number | null>(null);
  const other = anchor === null ? undefined : chart.points[Math.min(anchor, last)];
  const otherLeft = other ? middle(chart, other) : 0;
  const leave = () => {
    setAnchor(null);
    downAt.current = null;
  };
  const zoom = (to: number) => {
    const span = anchor === null ? null : spanOf(chart, Math.min(anchor, last), to);
    leave();
    onActive(null);
    if (span) onZoom(span);
  };
  const indexOf = (event: React.PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return pointAt(chart, (event.clientX - box.left) / box.width);
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 't' && !event.metaKey && !event.ctrlKey) return onTableKey();
    if (event.key === 'Enter' && index !== null) {
      event.preventDefault();
      if (anchor === null) setAnchor(index);
      else zoom(index);
      return;
    }
    if (event.key === 'Escape' && anchor !== null) return leave();
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
        point
          ? `${other ? `From ${chartTime(chart, other.at, timeZone)} to ` : ''}${time}: ${reading(chart, measure, point)}${medianBefore === null ? '' : `, ${formatLatency(medianBefore)} in the previous ${periodOf(chart)}`}`
          : 'Arrow keys move through the values, Enter selects a part to zoom into, T shows a table.'
      }
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        // A finger moves the crosshair.
        if (event.pointerType === 'touch' || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        downAt.current = event.clientX;
        setAnchor(indexOf(event));
      }}
      onPointerMove={(event) => onActive(indexOf(event))}
      onPointerUp={(event) => {
        if (downAt.current === null) return;
        if (Math.abs(event.clientX - downAt.current) < SHORTEST_DRAG_PX) leave();
        else zoom(indexOf(event));
      }}
      onPointerCancel={leave}
      onPointerLeave={() => onActive(null)}
      onBlur={() => {
        leave();
        onActive(null);
      }}
      className="absolute inset-0 cursor-crosshair touch-pan-y select-none"
    >
      {point && other ? (
        <div
          style={{ left: `${Math.min(left, otherLeft) * 100}%`, width: `${Math.abs(left - otherLeft) * 100}%` }}
          className="absolute inset-y-0 border-x border-accent-border bg-accent-subtle/60"
        />
      ) : null}
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
            {medianBefore === null ? null : (
              <div className="flex items-center gap-2">
                <LineKey className={beforeClass} />
                <span>{periodOf(chart)} before</span>
                <span className="ml-auto pl-2 font-mono">{formatLatency(medianBefore)}</span>
              </div>
            )}
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
