'use client';

import { cn } from '@/app/_components/cn';
import { Glyph } from '@/app/_components/status/glyph';
import { Button } from '@/app/_components/ui/button';

export interface FailedProps {
  /** The title: "Could not load checks". */
  title: string;
  /** What still works: "Monitoring is not affected." */
  children?: React.ReactNode;
  requestId?: string | null | undefined;
  onRetry?: () => void;
  busy?: boolean;
  className?: string;
}

/** An error state: what failed, what still works, the request ID, and a retry button. */
export function Failed({ title, children, requestId, onRetry, busy, className }: FailedProps) {
  return (
    <div role="alert" className={cn('grid justify-items-start gap-3 rounded-3 border bg-surface px-4 py-5', className)}>
      <p className="flex items-center gap-2 font-medium">
        <Glyph state="unknown" />
        {title}
      </p>
      {children || requestId ? (
        <p className="text-muted">
          {children}
          {requestId ? (
            <>
              {' '}
              Request ID: <span className="font-mono text-small [overflow-wrap:anywhere]">{requestId}</span>.
            </>
          ) : null}
        </p>
      ) : null}
      {onRetry ? (
        <Button size="small" onClick={onRetry} busy={busy}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
