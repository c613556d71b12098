'use client';

import { useQuery } from '@tanstack/react-query';
import { stateWords } from '@/app/_components/status/states';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';
import { type Chip, type Filters, unfiltered } from './filters';

const labels = {
  status: 'Status',
  type: 'Type',
  tag: 'Tag',
  region: 'Region',
  channelId: 'Channel',
  parentId: 'Depends on',
} as const satisfies Record<Chip, string>;

export interface FilterChipsProps {
  filters: Filters;
  onChange: (filters: Partial<Filters>) => void;
}

/** The filters of the list, each with a button that removes it. */
export function FilterChips({ filters, onChange }: FilterChipsProps) {
  const { status, type, tag, region, channelId, parentId } = filters;
  const trpc = useTRPC();
  const channel = useQuery(
    trpc.notifications.get.queryOptions({ id: channelId }, { enabled: channelId !== '', retry: false }),
  ).data?.channel;
  const parent = useQuery(trpc.monitors.get.queryOptions({ id: parentId }, { enabled: parentId !== '', retry: false }))
    .data?.monitor;
  const values: Record<Chip, string | null> = {
    status: status && stateWords[status],
    type,
    tag,
    region,
    channelId: channelId && (channel?.name ?? 'a channel'),
    parentId: parentId && (parent?.name ?? 'a monitor'),
  };
  const chips = (Object.keys(labels) as Chip[]).filter((each) => values[each]);
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Filters" className="mb-3 flex flex-wrap gap-1.5">
      {chips.map((each) => (
        <li key={each} className="max-w-full">
          <Button
            size="small"
            aria-label={`Remove filter ${labels[each]} ${values[each]}`}
            className="max-w-full font-normal max-sm:h-9"
            onClick={() => onChange({ [each]: unfiltered[each] })}
          >
            <span className="text-muted">{labels[each]}</span>
            <span className="truncate font-medium">{values[each]}</span>
            <Icon name="x" small />
          </Button>
        </li>
      ))}
      <li>
        <Button variant="ghost" size="small" className="max-sm:h-9" onClick={() => onChange(unfiltered)}>
          Clear filters
        </Button>
      </li>
    </ul>
  );
}
