import { cn } from '@/app/_components/cn';
import { formatCount } from '@/app/_components/format';
import type { State } from '@/app/_components/status/states';

/** A count in a pill, optionally in the color of a status. */
export function Count({ value, state, className }: { value: number; state?: State; className?: string }) {
  return (
    <span
      data-state={state}
      className={cn(
        'num inline-grid h-[18px] min-w-[18px] place-items-center rounded-pill px-[5px] text-micro font-semibold',
        state ? 'bg-s-solid text-s-on' : 'bg-active text-muted',
        className,
      )}
    >
      {formatCount(value)}
    </span>
  );
}
