import { cn } from '@/app/_components/cn';

/** A tag or label. */
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

/** A type in a mono font: http, tcp, email. */
export function Kind({ className, ...props }: React.ComponentProps<'span'>) {
  return <span className={cn('c-kind font-mono text-micro font-medium text-faint', className)} {...props} />;
}
