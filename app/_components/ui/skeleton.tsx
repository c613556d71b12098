import { cn } from '@/app/_components/cn';

/** A grey bar, with `round` a circle. */
export function Skeleton({ round, className }: { round?: boolean; className?: string }) {
  return (
    <span className={cn('block h-2 shrink-0 bg-active', round ? 'size-3.5 rounded-pill' : 'rounded-1', className)} />
  );
}

/** Hides its content for 200 ms, so that fast responses do not cause a flash, and announces "Loading". */
export function Loading({
  label = 'Loading',
  className,
  children,
}: {
  label?: string;
  className?: string;
  children: React.ReactNode;
}) {
  return (
    <div role="status" aria-label={label} aria-busy="true" className={cn('late', className)}>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

const widths = ['w-[70%]', 'w-[52%]', 'w-[84%]', 'w-[60%]', 'w-[46%]', 'w-[76%]'];

/** Placeholder rows in the height of a table row. */
export function RowsLoading({ rows = 6, label }: { rows?: number; label?: string }) {
  return (
    <Loading {...(label && { label })}>
      <div className="border-t">
        {Array.from({ length: rows }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
          <div key={index} className="flex h-[60px] items-center gap-3 border-b px-2 lg:h-(--row)">
            <Skeleton round />
            <span className="w-1/2 max-w-80">
              <Skeleton className={widths[index % widths.length] ?? ''} />
            </span>
          </div>
        ))}
      </div>
    </Loading>
  );
}
