'use client';

import * as Radix from 'radix-ui/checkbox';
import { useId } from 'react';
import { cn } from '@/app/_components/cn';
import { useControl } from '@/app/_components/ui/field';

export type CheckboxProps = React.ComponentProps<typeof Radix.Root>;

/** A checkbox; `checked` may be 'indeterminate'. Needs an aria-label, or use CheckboxRow. */
export function Checkbox({ className, ...props }: CheckboxProps) {
  return (
    <Radix.Root
      {...props}
      {...useControl(props)}
      className={cn(
        'group relative grid size-4 shrink-0 place-items-center rounded-[4px] border border-field bg-surface text-accent-on after:absolute after:-inset-1 max-sm:after:-inset-3',
        'data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent',
        'disabled:cursor-not-allowed disabled:border-border disabled:bg-sunken',
        className,
      )}
    >
      <Radix.Indicator className="grid place-items-center">
        <svg viewBox="0 0 16 16" aria-hidden="true" className="size-3.5 fill-none stroke-current stroke-2">
          <path d="m3.5 8.5 3 3 6-6.5" className="group-data-[state=indeterminate]:hidden" />
          <path d="M3.5 8h9" className="hidden group-data-[state=indeterminate]:inline" />
        </svg>
      </Radix.Indicator>
    </Radix.Root>
  );
}

/** A checkbox with a label; `note` is a hint after it. */
export function CheckboxRow({ children, note, ...props }: CheckboxProps & { note?: React.ReactNode }) {
  const made = useId();
  const id = props.id ?? made;
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Checkbox {...props} id={id} />
      <label htmlFor={id} className="flex min-w-0 cursor-pointer flex-wrap gap-x-2 py-1 max-sm:py-2.5">
        <span>{children}</span>
        {note ? <span className="text-faint">{note}</span> : null}
      </label>
    </div>
  );
}
