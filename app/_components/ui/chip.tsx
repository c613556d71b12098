import { cn } from '@/app/_components/cn';
import { Icon, type IconName } from '@/app/_components/ui/icon';

export interface ChipProps extends React.ComponentProps<'button'> {
  /** In force: solid, in accent, with a cross that takes it away. */
  on?: boolean;
  icon?: IconName;
}

/** A filter: dashed while it is an offer, solid when it is in force. Pressing one in force takes it away. */
export function Chip({ on, icon, className, children, ...props }: ChipProps) {
  return (
    <button
      type="button"
      {...props}
      className={cn(
        'inline-flex h-9 items-center gap-1.5 rounded-2 border px-2 whitespace-nowrap focus-visible:rounded-2 sm:h-7',
        on
          ? 'border-accent-border bg-accent-subtle text-accent-fg [&_b]:font-medium [&_b]:text-ink'
          : 'border-dashed border-strong text-muted hover:bg-hover hover:text-ink',
        className,
      )}
    >
      {icon ? <Icon name={icon} small /> : null}
      <span>{children}</span>
      {on ? <Icon name="x" small /> : null}
      {on ? <span className="sr-only">, take away</span> : null}
    </button>
  );
}
