import { cn } from '@/app/_components/cn';
import { Icon } from '@/app/_components/ui/icon';

const steps = ['Upload', 'Preview', 'Import', 'Report'];

/** The steps of an import; `current` is the index of the one that is shown. */
export function Steps({ current }: { current: number }) {
  return (
    <ol aria-label="Steps" className="mb-6 flex flex-wrap items-center gap-x-5 gap-y-2">
      {steps.map((label, index) => (
        <li
          key={label}
          aria-current={index === current ? 'step' : undefined}
          className={cn('flex items-center gap-2', index === current ? 'font-medium' : 'text-muted')}
        >
          <span
            className={cn(
              'num grid size-5 place-items-center rounded-pill border text-small',
              index === current && 'border-accent bg-accent text-accent-on',
            )}
          >
            {index < current ? <Icon name="check" small /> : index + 1}
          </span>
          {label}
        </li>
      ))}
    </ol>
  );
}

/** The progress of an upload or import, between 0 and 1. */
export function Progress({ value, label }: { value: number; label: string }) {
  const percent = Math.round(value * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 overflow-hidden rounded-pill bg-sunken"
    >
      <div className="h-full bg-accent transition-[width] duration-fast" style={{ width: `${percent}%` }} />
    </div>
  );
}
