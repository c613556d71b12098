import { cn } from '@/app/_components/cn';

export interface EmptyProps {
  /** The title: "No incidents in 30 days". */
  title: string;
  /** The element of the title: a heading if it is the title of the page. */
  as?: 'p' | 'h1';
  /** What will appear here. */
  children: React.ReactNode;
  /** The one next step. */
  action?: React.ReactNode;
  className?: string;
}

/** An empty state: what will appear here, and one next step. */
export function Empty({ title, as: Title = 'p', children, action, className }: EmptyProps) {
  return (
    <div className={cn('grid justify-items-start gap-3 rounded-3 border bg-surface px-4 py-5', className)}>
      <Title className="text-base font-medium tracking-normal">{title}</Title>
      <div className="max-w-[60ch] text-muted">{children}</div>
      {action}
    </div>
  );
}
