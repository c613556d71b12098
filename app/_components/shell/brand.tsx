import { cn } from '@/app/_components/cn';

/** The logo: three quiet bars and one accent bar. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={cn('size-6 shrink-0 rounded-2 bg-accent p-1 text-accent-on', className)}
    >
      <g fill="currentColor">
        <rect x="0.5" y="9" width="2.6" height="6" rx=".6" />
        <rect x="4.6" y="9" width="2.6" height="6" rx=".6" />
        <rect x="8.7" y="1" width="2.6" height="14" rx=".6" />
        <rect x="12.8" y="9" width="2.6" height="6" rx=".6" />
      </g>
    </svg>
  );
}

/** The logo with the product name. */
export function Brand({ className, nameClassName }: { className?: string; nameClassName?: string }) {
  return (
    <span className={cn('flex items-center gap-[9px] text-[15px] font-semibold tracking-[-0.02em]', className)}>
      <Mark />
      <span className={nameClassName}>Upwatch</span>
    </span>
  );
}
