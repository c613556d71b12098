'use client';

import { oneOf } from '@/app/_components/one-of';
import { Button } from '@/app/_components/ui/button';
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuSeparator,
} from '@/app/_components/ui/dropdown-menu';
import { Icon } from '@/app/_components/ui/icon';
import { Select } from '@/app/_components/ui/select';
import type { OverviewSort } from '@/server/monitor-lists/schema';
import { overviewGroups } from '@/server/monitor-lists/values';
import { type Column, columns, type Filters } from './filters';

const sorts: readonly { value: OverviewSort; label: string }[] = [
  { value: 'worst', label: 'Worst first' },
  { value: 'name', label: 'Name' },
  { value: 'p95', label: 'Slowest p95' },
  { value: 'uptime', label: 'Lowest uptime' },
  { value: 'changed', label: 'Last change' },
];
const groups = [
  { value: 'none', label: 'No groups' },
  { value: 'tag', label: 'Tag' },
  { value: 'type', label: 'Type' },
  { value: 'parent', label: 'Parent' },
];
const densities = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];
const columnWords: Record<Column, string> = {
  tags: 'Tags',
  strip: 'Last 24 h',
  p95: 'p95',
  uptime: 'Uptime 30 d',
  checked: 'Last check',
};

export interface ListOptionsProps {
  filters: Filters;
  onChange: (filters: Partial<Filters>) => void;
  /** Actions on what the list shows. */
  children: React.ReactNode;
}

/** How the list is sorted and shown. */
export function ListOptions({ filters, onChange, children }: ListOptionsProps) {
  const { sort, group, isCompact, hidden } = filters;
  const toggle = (column: Column, isShown: boolean) =>
    onChange({ hidden: columns.filter((each) => (each === column ? !isShown : hidden.includes(each))) });
  return (
    <>
      <Select
        look="quiet"
        aria-label="Sort by"
        options={sorts}
        value={sort}
        onValueChange={(next) => onChange({ sort: next })}
      />
      <DropdownMenu
        trigger={
          <Button aria-label="View">
            <Icon name="settings" />
            <span className="max-sm:hidden">View</span>
          </Button>
        }
      >
        <DropdownMenuRadioGroup
          label="Group by"
          options={groups}
          value={group ?? 'none'}
          onValueChange={(next) => onChange({ group: oneOf(overviewGroups, next) })}
        />
        <DropdownMenuSeparator />
        <DropdownMenuRadioGroup
          label="Rows"
          options={densities}
          value={isCompact ? 'compact' : 'comfortable'}
          onValueChange={(next) => onChange({ isCompact: next === 'compact' })}
        />
        <DropdownMenuSeparator />
        <DropdownMenuLabel>Columns</DropdownMenuLabel>
        {columns.map((column) => (
          <DropdownMenuCheckboxItem
            key={column}
            checked={!hidden.includes(column)}
            onCheckedChange={(isShown) => toggle(column, isShown)}
          >
            {columnWords[column]}
          </DropdownMenuCheckboxItem>
        ))}
        <DropdownMenuSeparator />
        {children}
      </DropdownMenu>
    </>
  );
}
