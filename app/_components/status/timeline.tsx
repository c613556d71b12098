import { cn } from '@/app/_components/cn';
import { Glyph } from '@/app/_components/status/glyph';
import type { State } from '@/app/_components/status/states';
import { Timestamp } from '@/app/_components/time/time';
import { Icon, type IconName } from '@/app/_components/ui/icon';

/** A timeline of events. */
export function Timeline({ children }: { children: React.ReactNode }) {
  return <ol>{children}</ol>;
}

export interface TimelineEventProps {
  /** The marker: a status icon, or an icon in a ring. */
  node: { state: State } | { icon: IconName };
  /** When; ISO 8601. */
  at: string;
  title: React.ReactNode;
  children?: React.ReactNode;
  className?: string;
}

/** One event: title, time and details. */
export function TimelineEvent({ node, at, title, children, className }: TimelineEventProps) {
  return (
    <li className={cn('event', className)}>
      {'state' in node ? (
        <span className="grid size-6 place-items-center">
          <Glyph state={node.state} className="size-[18px]" />
        </span>
      ) : (
        <span className="grid size-6 place-items-center rounded-pill border border-strong bg-surface text-muted">
          <Icon name={node.icon} className="size-[13px]" />
        </span>
      )}
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 pt-px text-body max-sm:pt-[3px]">
          <span className="max-sm:order-1 max-sm:basis-full">{title}</span>
          <Timestamp at={at} className="font-mono text-small whitespace-nowrap text-faint sm:ml-auto" />
        </div>
        {children ? (
          <div className="mt-1 grid min-w-0 gap-2 text-body text-muted [overflow-wrap:anywhere]">{children}</div>
        ) : null}
      </div>
    </li>
  );
}
