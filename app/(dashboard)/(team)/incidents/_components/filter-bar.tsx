'use client';

import { useState } from 'react';
import { filterButton } from '@/app/_components/filter-chips';
import { useHasComponents } from '@/app/_components/find-component';
import { incidentTypeWords, severityOptions } from '@/app/_components/incidents/incident-words';
import { oneOf } from '@/app/_components/one-of';
import { Button } from '@/app/_components/ui/button';
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuItem,
  DropdownMenuRadioGroup,
  DropdownMenuSeparator,
} from '@/app/_components/ui/dropdown-menu';
import { Icon } from '@/app/_components/ui/icon';
import { Select } from '@/app/_components/ui/select';
import { incidentTypes } from '@/server/incidents/values';
import { severities } from '@/server/monitor-lists/values';
import { type Chosen, FilterDialog } from './filter-dialog';
import type { Filters, Order } from './filters';

const ALL = 'all';

const orders: readonly { value: Order; label: string }[] = [
  { value: 'status', label: 'Open first' },
  { value: 'severity', label: 'Worst first' },
  { value: 'newest', label: 'Newest first' },
];
const severityChoices = [{ value: ALL, label: 'Any severity' }, ...severityOptions];
const types = [
  { value: ALL, label: 'Any type' },
  ...incidentTypes.map((value) => ({ value, label: incidentTypeWords[value] })),
];

interface FilterBarProps {
  filters: Filters;
  onChange: (filters: Partial<Filters>) => void;
  /** Whether the team has components, as the server found it. */
  hasComponents: boolean;
}

/** The order of the list, and its filters beside status and search. */
export function FilterBar({ filters, onChange, hasComponents }: FilterBarProps) {
  const [choosing, setChoosing] = useState<Chosen | null>(null);
  const offersComponents = useHasComponents(hasComponents);
  return (
    <>
      <Select
        look="quiet"
        aria-label="Sort by"
        options={orders}
        value={filters.order}
        onValueChange={(order) => onChange({ order })}
      />
      <Select
        look="quiet"
        aria-label="Severity"
        options={severityChoices}
        value={filters.severity ?? ALL}
        onValueChange={(value) => onChange({ severity: oneOf(severities, value) })}
      />
      <DropdownMenu
        align="start"
        trigger={
          <Button aria-label="Filter" {...filterButton}>
            <Icon name="filter" />
            <span className="max-sm:hidden">Filter</span>
          </Button>
        }
      >
        <DropdownMenuItem icon="team" onSelect={() => setChoosing('assigneeId')}>
          Assignee…
        </DropdownMenuItem>
        <DropdownMenuItem icon="monitors" onSelect={() => setChoosing('monitorId')}>
          Monitor…
        </DropdownMenuItem>
        {offersComponents ? (
          <DropdownMenuItem icon="pages" onSelect={() => setChoosing('componentId')}>
            Component…
          </DropdownMenuItem>
        ) : null}
        <DropdownMenuItem icon="tag" onSelect={() => setChoosing('tag')}>
          Tag…
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuRadioGroup
          label="Type"
          options={types}
          value={filters.type ?? ALL}
          onValueChange={(value) => onChange({ type: oneOf(incidentTypes, value) })}
        />
        <DropdownMenuSeparator />
        <DropdownMenuCheckboxItem
          checked={filters.hasPostmortem}
          onCheckedChange={(hasPostmortem) => onChange({ hasPostmortem })}
        >
          Published postmortem
        </DropdownMenuCheckboxItem>
      </DropdownMenu>
      <FilterDialog choosing={choosing} onChange={onChange} onClose={() => setChoosing(null)} />
    </>
  );
}
