'use client';

import { cn } from '@/app/_components/cn';
import { useControl } from '@/app/_components/ui/field';

/** The look of a one-line control: 40 px and 16 px text on phones (no zoom on focus), 34 px and base text above. */
export const controlClass = [
  'h-10 w-full min-w-0 rounded-2 border border-field bg-surface px-3 text-lead sm:h-[34px] sm:px-2.5 sm:text-base',
  'transition-[border-color] duration-fast ease-out hover:border-muted',
  'focus-visible:rounded-2 focus-visible:border-focus focus-visible:outline-offset-[-1px]',
  'aria-invalid:border-down-solid aria-invalid:ring-1 aria-invalid:ring-inset aria-invalid:ring-down-solid',
  'disabled:cursor-not-allowed disabled:border-border disabled:bg-sunken disabled:text-disabled',
].join(' ');

export interface InputProps extends React.ComponentProps<'input'> {
  /** For addresses, codes and other evidence: mono, and not spell-checked. */
  mono?: boolean;
}

/** A one-line text field. Inside a Field it is tied to its label, help and error. */
export function Input({ mono, className, ...props }: InputProps) {
  return (
    <input
      spellCheck={mono ? false : undefined}
      autoCapitalize={mono ? 'none' : undefined}
      {...props}
      {...useControl(props)}
      className={cn(controlClass, mono && 'font-mono tracking-[-0.01em]', className)}
    />
  );
}
