'use client';

import { useState } from 'react';
import { cn } from '@/app/_components/cn';
import { Glyph } from '@/app/_components/status/glyph';
import { useClockText } from '@/app/_components/time/time';
import type { Tick } from './bars';
import { type DayUptime, dayFacts, daySentence, daysSentence, utcDay, utcDayAgo } from './day-words';
import { slideTo } from './slider-keys';
import { Bars } from './strip';

export interface DayBarsProps {
  /** The worst state of each day (UTC), today last. */
  days: Tick[];
  /** The uptime of the same days. */
  uptimes: DayUptime[];
  /** The time of the data; ISO 8601. */
  now: string;
  /** Called to open a day ("2026-11-17"). */
  onOpen: (day: string) => void;
}

const PITCH = 4.2;
const WIDTH = 3;

/** Daily bars. Hover or arrow keys show the figures of a day; click or Enter opens it. */
export function DayBars({ days, uptimes, now, onOpen }: DayBarsProps) {
  const [active, setActive] = useState<number | null>(null);
  const label = useClockText((at) => daysSentence(days, at));
  const last = days.length - 1;
  const total = last * PITCH + WIDTH;
  const index = active === null ? null : Math.min(active, last);
  const dayOf = (each: number) => utcDayAgo(now, last - each);

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && index !== null) return onOpen(dayOf(index));
    const to = slideTo(event, { index, last, leap: 7 });
    if (to === undefined) return;
    event.preventDefault();
    setActive(to);
  };
  const indexAt = (event: React.PointerEvent | React.MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * total;
    return Math.min(last, Math.max(0, Math.floor((at + (PITCH - WIDTH) / 2) / PITCH)));
  };

  return (
    <div className="relative">
      <Bars ticks={days} label={label} height={34} pitch={PITCH} width={WIDTH} className="block h-[34px] w-full" />
      {index === null ? null : (
        <div
          aria-hidden="true"
          style={{ left: `${((index * PITCH) / total) * 100}%`, width: `${(WIDTH / total) * 100}%` }}
          className="pointer-events-none absolute -inset-y-0.5 box-content -translate-x-px border border-chart-crosshair px-px"
        />
      )}
      <div
        role="slider"
        tabIndex={0}
        aria-label="Day"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index ?? last}
        aria-valuetext={
          index === null
            ? 'Arrow keys move through the days, Enter lists the incidents of one.'
            : `${utcDay(dayOf(index))}: ${daySentence(days[index] ?? null, uptimes[index])}`
        }
        onKeyDown={onKeyDown}
        onPointerMove={(event) => setActive(indexAt(event))}
        onPointerLeave={() => setActive(null)}
        onBlur={() => setActive(null)}
        onClick={(event) => onOpen(dayOf(indexAt(event)))}
        className="absolute inset-0 cursor-pointer touch-pan-y"
      />
      {index === null ? null : (
        <DayTip
          left={(index * PITCH + WIDTH / 2) / total}
          day={dayOf(index)}
          tick={days[index] ?? null}
          uptime={uptimes[index]}
        />
      )}
    </div>
  );
}

interface DayTipProps {
  /** From 0 to 1. */
  left: number;
  day: string;
  tick: Tick;
  uptime: DayUptime | undefined;
}

function DayTip({ left, day, tick, uptime }: DayTipProps) {
  return (
    <div
      aria-hidden="true"
      style={left > 0.5 ? { right: `${(1 - left) * 100}%` } : { left: `${left * 100}%` }}
      className={cn(
        'num pointer-events-none absolute top-full z-10 mt-2 w-[190px] rounded-2 border bg-raised px-2.5 py-2 text-small shadow-2',
        left > 0.5 ? 'translate-x-2' : '-translate-x-2',
      )}
    >
      <p className="font-medium">{utcDay(day)} (UTC)</p>
      {dayFacts(tick, uptime).map(({ name, value, state }) => (
        <div key={name} data-state={state} className="flex items-center gap-2">
          {state ? <Glyph state={state} /> : null}
          <span className={state ? undefined : 'text-muted'}>{name}</span>
          <span className="ml-auto font-mono">{value}</span>
        </div>
      ))}
    </div>
  );
}
