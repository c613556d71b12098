'use client';

import { useQuery } from '@tanstack/react-query';
import { FilterChips } from '@/app/_components/filter-chips';
import { stateWords } from '@/app/_components/status/states';
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

export interface MonitorChipsProps {
  filters: Filters;
  onChange: (filters: Partial<Filters>) => void;
}

/** The filters of the list, each with a button that removes it. */
export function MonitorChips({ filters, onChange }: MonitorChipsProps) {
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
  const chips = (Object.keys(labels) as Chip[]).flatMap((key) => {
    const value = values[key];
    return value ? [{ key, label: labels[key], value }] : [];
  });
  return (
    <FilterChips
      chips={chips}
      onRemove={(key) => onChange({ [key]: unfiltered[key] })}
      onClear={() => onChange(unfiltered)}
    />
  );
}
