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
  /** What the bars tell, for those who do not see them. */
  label: string;
  /** The width that stands for the whole period, where the ticks do not fill it. */
  total?: number;
  className?: string;
}

/** Ticks of equal parts of time, left to right, as high as they are bad. As wide as its class makes it. */
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

/** The last 24 hours of a monitor, as a line of a list shows them. */
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
