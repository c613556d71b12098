import Link from 'next/link';
import { cn } from '@/app/_components/cn';
import { formatCount } from '@/app/_components/format';

type RowProps = React.ComponentProps<'div'>;

/** A table of div rows, which can be virtualized. Columns: `[--cols:…]`, or the class `rows-monitors`. */
export function Table({ label, className, ...props }: RowProps & { label: string }) {
  // biome-ignore lint/a11y/useSemanticElements: rows are grids, so that they can be virtualized and fold into two lines
  return <div role="table" aria-label={label} className={cn('rows', className)} {...props} />;
}

/** The column heads; hidden if rows fold into two lines. */
export function TableHead({ className, children, ...props }: RowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see Table
    <div role="rowgroup">
      {/* biome-ignore lint/a11y/useSemanticElements: see Table */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: a static table's rows take no focus */}
      <div role="row" className={cn('row row-head', className)} {...props}>
        {children}
      </div>
    </div>
  );
}

/** The name of a column; `hidden` for one that only screen readers need. */
export function ColumnHead({
  hidden,
  right,
  className,
  children,
  ...props
}: RowProps & {
  hidden?: boolean;
  right?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see Table
    // biome-ignore lint/a11y/useFocusableInteractive: see TableHead
    <div role="columnheader" className={cn(right && 'text-right', className)} {...props}>
      {hidden ? <span className="sr-only">{children}</span> : children}
    </div>
  );
}

/** The rows below the head. */
export function TableBody(props: RowProps) {
  // biome-ignore lint/a11y/useSemanticElements: see Table
  return <div role="rowgroup" {...props} />;
}

/** A row. A RowLink inside makes the whole row a link; buttons and checkboxes stay clickable. */
export function Row({ className, ...props }: RowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see Table
    // biome-ignore lint/a11y/useFocusableInteractive: see TableHead
    <div role="row" className={cn('row', className)} {...props} />
  );
}

/** One cell; `right` for numbers. */
export function Cell({ right, className, ...props }: RowProps & { right?: boolean }) {
  // biome-ignore lint/a11y/useSemanticElements: see Table
  return <div role="cell" className={cn(right && 'num text-right', className)} {...props} />;
}

/** A heading of a group of rows, with their number if it is known. */
export function GroupRow({ name, count, ...props }: RowProps & { name: string; count?: number | undefined }) {
  return (
    <Row className="row-group" {...props}>
      <Cell className="flex items-center gap-2 pl-2 font-medium">
        {name} {count === undefined ? null : <span className="num font-normal text-faint">{formatCount(count)}</span>}
      </Cell>
    </Row>
  );
}

/** The link of a row. Its text is the name of the row, and its area covers the row. Does not prefetch, because lists have many rows. */
export function RowLink({ className, ...props }: React.ComponentProps<typeof Link>) {
  return <Link prefetch={false} {...props} className={cn('row-link truncate font-medium', className)} />;
}
