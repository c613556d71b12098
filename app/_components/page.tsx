import { cn } from '@/app/_components/cn';

/** The header of a page: title, note and actions. */
export function PageHead({
  title,
  note,
  children,
}: {
  title: React.ReactNode;
  note?: React.ReactNode;
  children?: React.ReactNode;
}) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-3">
      <h1>{title}</h1>
      {note ? <span className="num text-faint">{note}</span> : null}
      <span className="grow" />
      {children ? <div className="flex flex-wrap items-center gap-2">{children}</div> : null}
    </div>
  );
}

export interface SectionProps {
  title: React.ReactNode;
  note?: React.ReactNode;
  /** Content at the right end of the heading's line. */
  actions?: React.ReactNode;
  className?: string;
  children: React.ReactNode;
}

/** A section of a page with a heading. */
export function Section({ title, note, actions, className, children }: SectionProps) {
  return (
    <section className={cn('mt-8 min-w-0 first:mt-0', className)}>
      <div className="mb-3 flex min-h-7 flex-wrap items-center gap-2">
        <h2>{title}</h2>
        {note ? <span className="text-small text-faint">{note}</span> : null}
        {actions ? (
          <>
            <span className="grow" />
            {actions}
          </>
        ) : null}
      </div>
      {children}
    </section>
  );
}

/** A list of names and values. Rows with a null value are omitted. */
export function DetailList({
  facts,
  className,
}: {
  facts: readonly (readonly [name: string, value: React.ReactNode])[];
  className?: string;
}) {
  return (
    <dl className={cn('divide-y', className)}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 py-[7px]">
            <dt className="shrink-0 text-muted">{name}</dt>
            <dd className="num min-w-0 text-right [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A box for verbatim output with a header line. */
export function Evidence({
  head,
  className,
  children,
}: {
  head?: React.ReactNode;
  className?: string;
  children: React.ReactNode;
}) {
  return (
    <div className={cn('overflow-hidden rounded-3 border bg-surface', className)}>
      {head ? (
        <header className="flex min-h-[34px] flex-wrap items-center gap-2 border-b px-3 py-1 text-small text-muted">
          {head}
        </header>
      ) : null}
      {children}
    </div>
  );
}

/** The class of a link inside a sentence: underlined, in the accent color. */
export const linkClass =
  'text-accent-fg underline decoration-accent-border decoration-1 underline-offset-3 hover:decoration-current';
