'use client';

import { useId } from 'react';
import { cn } from '@/app/_components/cn';
import { useControl } from '@/app/_components/ui/field';

export interface SwitchProps extends React.ComponentProps<'button'> {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
}

/** A switch that takes effect immediately, or a setting of a form. It needs an aria-label, or use SwitchRow. */
export function Switch({ checked, onCheckedChange, className, ...props }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      data-state={checked ? 'checked' : 'unchecked'}
      {...props}
      {...useControl(props)}
      onClick={() => onCheckedChange(!checked)}
      className={cn(
        'group relative h-[18px] w-[30px] shrink-0 rounded-pill bg-field transition-[background-color] duration-fast ease-out after:absolute after:-inset-[3px] focus-visible:rounded-pill data-[state=checked]:bg-accent disabled:cursor-not-allowed disabled:bg-strong',
        className,
      )}
    >
      <span className="block size-3.5 translate-x-0.5 rounded-pill bg-surface transition-transform duration-fast ease-out group-data-[state=checked]:translate-x-3.5 group-data-[state=checked]:bg-accent-on" />
    </button>
  );
}

/** A switch with a label. */
export function SwitchRow({ children, ...props }: SwitchProps) {
  const made = useId();
  const id = props.id ?? made;
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Switch {...props} id={id} />
      <label htmlFor={id} className="min-w-0 cursor-pointer py-1 max-sm:py-2.5">
        {children}
      </label>
    </div>
  );
}
