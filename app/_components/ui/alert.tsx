import { cn } from '@/app/_components/cn';
import { Glyph } from '@/app/_components/status/glyph';
import type { State } from '@/app/_components/status/states';

export interface AlertProps {
  state: State;
  title?: React.ReactNode;
  children?: React.ReactNode;
  /** Use `alert` if it appears in response to a user action. */
  role?: 'alert' | 'status';
  className?: string;
}

/** A persistent notice. For transient messages, use a toast. */
export function Alert({ state, title, children, role, className }: AlertProps) {
  return (
    <div
      role={role}
      data-state={state}
      className={cn(
        'flex gap-2.5 rounded-3 border border-s-border bg-s-subtle px-3 py-2.5 [--cut:var(--s-subtle)]',
        className,
      )}
    >
      <Glyph state={state} className="mt-[3px]" />
      <div className="min-w-0 grow [overflow-wrap:anywhere]">
        {title ? <p className="font-medium">{title}</p> : null}
        {children ? <div className={title ? 'text-muted' : undefined}>{children}</div> : null}
      </div>
    </div>
  );
}
