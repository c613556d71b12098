'use client';

import { cn } from '@/app/_components/cn';
import { useControl } from '@/app/_components/ui/field';

/** The style of a one-line control: 34 px high; on phones 40 px with 16 px text, which avoids zoom on focus. */
export const controlClass = [
  'h-10 w-full min-w-0 rounded-2 border border-field bg-surface px-3 text-lead sm:h-[34px] sm:px-2.5 sm:text-base',
  'transition-[border-color] duration-fast ease-out hover:border-muted',
  'focus-visible:rounded-2 focus-visible:border-focus focus-visible:outline-offset-[-1px]',
  'aria-invalid:border-down-solid aria-invalid:ring-1 aria-invalid:ring-inset aria-invalid:ring-down-solid',
  'disabled:cursor-not-allowed disabled:border-border disabled:bg-sunken disabled:text-disabled',
].join(' ');

export interface InputProps extends React.ComponentProps<'input'> {
  /** For URLs, codes and similar: monospaced, without spell check. */
  mono?: boolean;
}

/** A text field. Inside a Field it is linked to its label, help and error. */
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
