import { cn } from '@/app/_components/cn';

/** A bordered grid of cells. Columns by class: `grid-cols-2 sm:grid-cols-4`. */
export function StatGrid({
  as: Tag = 'div',
  className,
  ...props
}: { as?: 'div' | 'dl' | 'ol' | 'ul' } & React.HTMLAttributes<HTMLElement>) {
  return (
    <Tag
      {...props}
      className={cn(
        'grid gap-px overflow-hidden rounded-3 border bg-border [&>*]:min-w-0 [&>*]:bg-surface [&>*]:px-3.5 [&>*]:py-2.5',
        className,
      )}
    />
  );
}

export interface StatProps {
  label: React.ReactNode;
  /** The figure; "–" if it is unknown. */
  value: React.ReactNode;
  unit?: string | undefined;
  /** A line of explanation: "14 min 56 s down". */
  note?: React.ReactNode;
}

/** A figure of a StatGrid that is a `dl`. */
export function Stat({ label, value, unit, note }: StatProps) {
  return (
    <div className="grid content-start gap-px">
      <dt className="flex items-center gap-1.5 text-small text-muted">{label}</dt>
      <dd className="num text-figure font-medium tracking-[-0.02em]">
        {value}
        {unit ? <span className="text-base font-normal tracking-normal text-muted"> {unit}</span> : null}
        {note ? <div className="text-small font-normal tracking-normal text-faint">{note}</div> : null}
      </dd>
    </div>
  );
}
