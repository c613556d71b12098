import { cn } from '@/app/_components/cn';
import { type BarOptions, barPaths, stripSentence, type Tick } from './bars';

const fills = {
  down: 'f-down',
  degraded: 'f-degraded',
  unknown: 'f-unknown',
  maintenance: 'f-maintenance',
  up: 'f-up',
  pending: 'f-pending',
  none: 'f-none',
};

export interface BarsProps extends BarOptions {
  ticks: Tick[];
  /** The text alternative of the bars. */
  label: string;
  /** The width of the whole period, if the bars do not fill it. */
  total?: number;
  className?: string;
}

/** Bars for equal time slots, left to right; height shows severity. The class sets the width. */
export function Bars({ ticks, label, className, total: given, ...options }: BarsProps) {
  const total = given ?? (ticks.length - 1) * options.pitch + options.width;
  return (
    <svg
      viewBox={`0 0 ${total} ${options.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className={className}
    >
      {barPaths(ticks, options).map(({ fill, d }) => (
        <path key={fill} className={fills[fill]} d={d} />
      ))}
    </svg>
  );
}

/** The last 24 hours of a monitor in a list row. */
export function Strip({ ticks, className }: { ticks: Tick[]; className?: string }) {
  return (
    <Bars
      ticks={ticks}
      label={stripSentence(ticks)}
      height={20}
      pitch={4}
      width={3}
      className={cn('strip', className)}
    />
  );
}
