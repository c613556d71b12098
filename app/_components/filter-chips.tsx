'use client';

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

/** The filters of a list, each with a button that removes it. */
export function FilterChips<Key extends string>({ chips, onRemove, onClear }: FilterChipsProps<Key>) {
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Filters" className="mb-3 flex flex-wrap gap-1.5">
      {chips.map(({ key, label, value }) => (
        <li key={key} className="max-w-full">
          <Button
            size="small"
            aria-label={`Remove filter ${label} ${value}`}
            className="max-w-full font-normal max-sm:h-9"
            onClick={() => onRemove(key)}
          >
            <span className="text-muted">{label}</span>
            <span className="truncate font-medium">{value}</span>
            <Icon name="x" small />
          </Button>
        </li>
      ))}
      <li>
        <Button variant="ghost" size="small" className="max-sm:h-9" onClick={onClear}>
          Clear filters
        </Button>
      </li>
    </ul>
  );
}
