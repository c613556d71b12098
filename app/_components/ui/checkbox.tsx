'use client';

import { useId } from 'react';
import { cn } from '@/app/_components/cn';
import { useControl } from '@/app/_components/ui/field';

export interface CheckboxProps extends React.ComponentProps<'button'> {
  checked: boolean | 'indeterminate';
  onCheckedChange?: (checked: boolean) => void;
}

/** A checkbox; `checked` may be 'indeterminate'. Needs an aria-label, or use CheckboxRow. */
export function Checkbox({ checked, onCheckedChange, onClick, className, ...props }: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native one cannot contain our mark
    <button
      type="button"
      role="checkbox"
      aria-checked={checked === 'indeterminate' ? 'mixed' : checked}
      data-state={checked === 'indeterminate' ? checked : checked ? 'checked' : 'unchecked'}
      {...props}
      {...useControl(props)}
      onClick={(event) => {
        onClick?.(event);
        onCheckedChange?.(checked !== true);
      }}
      onKeyDown={(event) => {
        // Only Space toggles a checkbox.
        if (event.key === 'Enter') event.preventDefault();
      }}
      className={cn(
        'relative grid size-4 shrink-0 place-items-center rounded-[4px] border border-field bg-surface text-accent-on after:absolute after:-inset-1 max-sm:after:-inset-3',
        'data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent',
        'disabled:cursor-not-allowed disabled:border-border disabled:bg-sunken',
        className,
      )}
    >
      {checked === false ? null : (
        <svg viewBox="0 0 16 16" aria-hidden="true" className="size-3.5 fill-none stroke-current stroke-2">
          <path d={checked === true ? 'm3.5 8.5 3 3 6-6.5' : 'M3.5 8h9'} />
        </svg>
      )}
    </button>
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
