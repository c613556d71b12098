'use client';

import { useEffect, useRef } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';

export interface FilterChip<Key extends string> {
  key: Key;
  /** "Tag" */
  label: string;
  value: string;
}

export interface FilterChipsProps<Key extends string> {
  chips: FilterChip<Key>[];
  onRemove: (key: Key) => void;
  onClear: () => void;
}

/** Marks the button that opens the filters of a list. It gets the focus when the last chip is removed. */
export const filterButton = { 'data-filter-button': '' };

/** The filters of a list, each with a button that removes it. The focus then moves to the next one. */
export function FilterChips<Key extends string>({ chips, onRemove, onClear }: FilterChipsProps<Key>) {
  const list = useRef<HTMLUListElement>(null);
  const removed = useRef<number | null>(null);
  const count = chips.length;
  useEffect(() => {
    if (removed.current === null) return;
    const next = count > 0 ? list.current?.querySelectorAll('button')[Math.min(removed.current, count - 1)] : null;
    removed.current = null;
    (next ?? document.querySelector<HTMLElement>('[data-filter-button]'))?.focus();
  }, [count]);
  if (chips.length === 0) return null;
  return (
    <ul ref={list} aria-label="Filters" className="mb-3 flex flex-wrap gap-1.5">
      {chips.map(({ key, label, value }, index) => (
        <li key={key} className="max-w-full">
          <Button
            size="small"
            aria-label={`Remove filter ${label} ${value}`}
            className="max-w-full font-normal max-sm:h-9"
            onClick={() => {
              removed.current = index;
              onRemove(key);
            }}
          >
            <span className="text-muted">{label}</span>
            <span className="truncate font-medium">{value}</span>
            <Icon name="x" small />
          </Button>
        </li>
      ))}
      <li>
        <Button
          variant="ghost"
          size="small"
          className="max-sm:h-9"
          onClick={() => {
            removed.current = 0;
            onClear();
          }}
        >
          Clear filters
        </Button>
      </li>
    </ul>
  );
}
