'use client';

import * as Radix from 'radix-ui/switch';
import { useId } from 'react';
import { cn } from '@/app/_components/cn';
import { useControl } from '@/app/_components/ui/field';

export type SwitchProps = React.ComponentProps<typeof Radix.Root>;

/** A switch that takes effect immediately, or a setting of a form. It needs an aria-label, or use SwitchRow. */
export function Switch({ className, ...props }: SwitchProps) {
  return (
    <Radix.Root
      {...props}
      {...useControl(props)}
      className={cn(
        'relative h-[18px] w-[30px] shrink-0 rounded-pill bg-field transition-[background-color] duration-fast ease-out after:absolute after:-inset-[3px] focus-visible:rounded-pill data-[state=checked]:bg-accent disabled:cursor-not-allowed disabled:bg-strong',
        className,
      )}
    >
      <Radix.Thumb className="block size-3.5 translate-x-0.5 rounded-pill bg-surface transition-transform duration-fast ease-out data-[state=checked]:translate-x-3.5 data-[state=checked]:bg-accent-on" />
    </Radix.Root>
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
