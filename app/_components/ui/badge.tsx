import { cn } from '@/app/_components/cn';
import { Glyph } from '@/app/_components/status/glyph';
import { type State, stateWords } from '@/app/_components/status/states';

/** A status badge for headers; use StateLabel in rows and lists. */
export function Badge({
  state,
  children,
  className,
}: {
  state: State;
  children?: React.ReactNode;
  className?: string;
}) {
  return (
    <span
      data-state={state}
      className={cn(
        'inline-flex h-[22px] items-center gap-[5px] rounded-2 border border-s-border bg-s-subtle pr-2 pl-[7px] text-small font-medium whitespace-nowrap text-s-fg [--cut:var(--s-subtle)]',
        className,
      )}
    >
      <Glyph state={state} />
      {children ?? stateWords[state]}
    </span>
  );
}
