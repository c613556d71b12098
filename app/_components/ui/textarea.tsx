'use client';

import { cn } from '@/app/_components/cn';
import { useControl } from '@/app/_components/ui/field';
import { controlClass } from '@/app/_components/ui/input';

/** A multi-line text field. Inside a Field it is linked to its label, help and error. */
export function Textarea({ mono, className, ...props }: React.ComponentProps<'textarea'> & { mono?: boolean }) {
  return (
    <textarea
      rows={3}
      spellCheck={mono ? false : undefined}
      {...props}
      {...useControl(props)}
      className={cn(
        controlClass,
        'h-auto resize-y py-2 leading-[1.375rem] sm:h-auto',
        mono && 'font-mono tracking-[-0.01em]',
        className,
      )}
    />
  );
}
