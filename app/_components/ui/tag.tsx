import { cn } from '@/app/_components/cn';

/** A word that people have put on a thing. */
export function Tag({ className, ...props }: React.ComponentProps<'span'>) {
  return (
    <span
      className={cn(
        'inline-flex h-5 items-center rounded-1 bg-sunken px-1.5 text-small whitespace-nowrap text-muted',
        className,
      )}
      {...props}
    />
  );
}

/** The kind of a thing in mono: http, tcp, email. */
export function Kind({ className, ...props }: React.ComponentProps<'span'>) {
  return <span className={cn('c-kind font-mono text-micro font-medium text-faint', className)} {...props} />;
}
