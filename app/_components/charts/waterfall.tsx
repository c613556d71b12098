import { Fragment } from 'react';
import { cn } from '@/app/_components/cn';
import { formatMs } from '@/app/_components/format';
import { type Phase, phaseFill, phases, phaseWords, totalOf, waterfall } from './phases';

export interface WaterfallProps {
  /** The timings in ms that the bars show; null for a phase that did not happen. */
  times: Record<Phase, number | null>;
  /** Further columns of figures; the first one shows `times`. */
  columns: { label: string; times: Record<Phase, number | null> }[];
}

const figure = 'flex h-[26px] items-center justify-end font-mono text-small';

/** The phases of a response, one after the other. A phase without a time has a dash and no bar. */
export function Waterfall({ times, columns }: WaterfallProps) {
  const bars = waterfall(times);
  return (
    <div
      style={{ gridTemplateColumns: `auto minmax(0, 1fr) repeat(${columns.length}, auto)` }}
      className="grid items-center gap-x-3"
    >
      {columns.length > 1 ? (
        <>
          <span className="col-span-2 flex h-[26px] items-center text-small text-faint">Phase</span>
          {columns.map(({ label }) => (
            <span key={label} className="text-right text-small text-faint">
              {label}
            </span>
          ))}
        </>
      ) : null}
      {phases.map((phase) => {
        const bar = bars[phase];
        return (
          <Fragment key={phase}>
            <span className="flex h-[26px] items-center">
              <i aria-hidden="true" className={cn('mr-2 size-[9px] shrink-0 rounded-[2px]', phaseFill[phase])} />
              {phaseWords[phase]}
            </span>
            <span
              aria-hidden="true"
              className="relative h-[26px] bg-[linear-gradient(var(--chart-grid),var(--chart-grid))] bg-[length:100%_1px] bg-left bg-no-repeat"
            >
              {bar ? (
                <i
                  style={{ left: `${bar.left * 100}%`, width: `${bar.width * 100}%` }}
                  className={cn('absolute top-2 h-2.5 min-w-[2px] rounded-[1px]', phaseFill[phase])}
                />
              ) : null}
            </span>
            {columns.map((column, index) => (
              <span key={column.label} className={cn(figure, index > 0 && 'text-muted')}>
                {formatMs(column.times[phase])}
              </span>
            ))}
          </Fragment>
        );
      })}
      <span className="col-span-2 flex h-[26px] items-center font-medium">Total</span>
      {columns.map((column, index) => (
        <span key={column.label} className={cn(figure, index === 0 ? 'font-medium' : 'text-muted')}>
          {formatMs(totalOf(column.times))}
        </span>
      ))}
    </div>
  );
}

/** A single thin bar of all phases for a table row. */
export function PhasesMini({ times }: { times: Record<Phase, number | null> }) {
  const known = phases.flatMap((phase) => (times[phase] === null ? [] : [{ phase, time: times[phase] }]));
  if (known.length === 0) return <span className="text-faint">–</span>;
  const label = known.map(({ phase, time }) => `${phaseWords[phase]} ${time}`).join(', ');
  return (
    <span role="img" aria-label={`${label} ms`} className="inline-flex h-2 w-[120px] gap-px align-middle">
      {known.map(({ phase, time }) => (
        <i key={phase} style={{ flexGrow: Math.max(time, 0.01) }} className={cn('h-full basis-0', phaseFill[phase])} />
      ))}
    </span>
  );
}
