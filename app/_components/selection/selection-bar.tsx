'use client';

import * as Toolbar from 'radix-ui/toolbar';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '@/app/_components/format';
import { isTaken } from '@/app/_components/keys';
import { toast } from '@/app/_components/toast/toast';
import { Spinner } from '@/app/_components/ui/button';
import { Checkbox } from '@/app/_components/ui/checkbox';
import { Icon, type IconName } from '@/app/_components/ui/icon';
import { readApiError } from '@/app/_trpc/errors';
import { MOST_SELECTED, type Selection } from './use-selection';

const buttonClass =
  'inline-flex h-11 min-w-11 items-center justify-center gap-1.5 rounded-[5px] px-1 whitespace-nowrap hover:enabled:bg-inverse-hover disabled:cursor-not-allowed disabled:text-inverse-muted sm:h-[30px] sm:min-w-0 sm:px-2.5 [&_svg]:shrink-0 sm:[&_svg]:text-inverse-muted';

export interface SelectionBarProps<Row extends { id: string }> {
  selection: Selection<Row>;
  /** The number of rows that match the filters, and a function that loads them. */
  all: { count: number; read: () => Promise<Row[]> };
  children: React.ReactNode;
}

/** The bar with bulk actions below a list. Escape ends the selection. */
export function SelectionBar<Row extends { id: string }>({ selection, all, children }: SelectionBarProps<Row>) {
  const { selected, set, stop } = selection;
  const [isReading, setReading] = useState(false);
  const end = useRef(stop);
  end.current = stop;
  const isOn = selected !== null;
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isTaken(event)) end.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn]);
  if (!selected) return null;
  const selectAll = async () => {
    setReading(true);
    try {
      set(await all.read());
    } catch (error) {
      toast.error(readApiError(error).message);
    } finally {
      setReading(false);
    }
  };
  const isAll = selected.size >= Math.min(all.count, MOST_SELECTED);
  return (
    <Toolbar.Root
      aria-label="Bulk actions"
      data-bulk=""
      className="sticky bottom-[calc(var(--bottombar)+10px+env(safe-area-inset-bottom))] z-[15] mx-auto mt-5 flex w-max max-w-full items-center gap-0.5 rounded-3 bg-inverse p-[5px] text-inverse-ink shadow-3 max-sm:w-auto max-sm:flex-wrap max-sm:justify-between sm:bottom-4 print:hidden"
    >
      <span role="status" className="num px-1.5 font-medium whitespace-nowrap sm:px-2.5">
        {formatCount(selected.size)} selected
      </span>
      {isAll ? null : (
        <Toolbar.Button className={buttonClass} aria-busy={isReading || undefined} onClick={selectAll}>
          {isReading ? <Spinner /> : null}
          <span className="text-inverse-muted">
            {all.count > MOST_SELECTED
              ? `Select the first ${formatCount(MOST_SELECTED)}`
              : `Select all ${formatCount(all.count)}`}
          </span>
        </Toolbar.Button>
      )}
      <Line />
      {children}
      <Line />
      <Toolbar.Button className={buttonClass} onClick={stop}>
        <Icon name="x" small />
        <span className="sr-only">Cancel selection</span>
        <kbd className="rounded-1 border border-inverse-border px-1 text-micro text-inverse-muted max-sm:hidden">
          Esc
        </kbd>
      </Toolbar.Button>
    </Toolbar.Root>
  );
}

function Line() {
  return <span aria-hidden="true" className="mx-1 h-[18px] w-px shrink-0 bg-inverse-border max-sm:hidden" />;
}

export interface BulkButtonProps {
  icon: IconName;
  label: string;
  /** What it does exactly, if the label does not say. */
  title?: string;
  disabled: boolean;
  onClick: () => void;
}

/** An action of the selection bar; an icon on small screens. */
export function BulkButton({ icon, label, title = label, disabled, onClick }: BulkButtonProps) {
  return (
    <Toolbar.Button className={buttonClass} aria-label={title} title={title} disabled={disabled} onClick={onClick}>
      <Icon name={icon} small />
      <span className="max-lg:hidden">{label}</span>
    </Toolbar.Button>
  );
}

export interface SelectRowProps {
  name: string;
  isSelected: boolean;
  /** `isRange`: the Shift key is held, which selects all rows from the last one. */
  onSelect: (isRange: boolean) => void;
}

/** The checkbox of a row in selection mode. */
export function SelectRow({ name, isSelected, onSelect }: SelectRowProps) {
  return (
    <Checkbox
      checked={isSelected}
      data-above=""
      aria-label={`Select ${name}`}
      onClick={({ shiftKey }) => onSelect(shiftKey)}
    />
  );
}
