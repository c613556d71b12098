'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { channelName, channelNote } from '@/app/_components/channels';
import { linkClass } from '@/app/_components/page';
import { Alert } from '@/app/_components/ui/alert';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { useTRPC } from '@/app/_trpc/client';

const modes = [
  { value: 'all', label: 'All channels' },
  { value: 'some', label: 'Selected channels' },
] as const;

export interface ChannelChoiceProps {
  isAll: boolean;
  onAll: (isAll: boolean) => void;
  /** The selected channels, if not all. */
  ids: string[];
  onIds: (ids: string[]) => void;
}

/** Selects the channels that get alerts: all, including future ones, or the chosen ones. */
export function ChannelChoice({ isAll, onAll, ids, onIds }: ChannelChoiceProps) {
  const trpc = useTRPC();
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: 100 }));
  const list = channels.data?.channels ?? [];
  const toggle = (id: string, isOn: boolean) => onIds(isOn ? [...ids, id] : ids.filter((each) => each !== id));

  if (channels.isSuccess && list.length === 0) {
    return (
      <p className="text-muted">
        No channels yet.{' '}
        <Link className={linkClass} href="/channels/new">
          Add a channel
        </Link>{' '}
        to get alerts.
      </p>
    );
  }
  return (
    <>
      <ToggleGroup
        label="Channels"
        options={modes}
        value={isAll ? 'all' : 'some'}
        onValueChange={(mode) => onAll(mode === 'all')}
      />
      {channels.isError ? (
        <Alert state="unknown">Could not load the channels. Your selection does not change.</Alert>
      ) : null}
      {isAll ? (
        <p className="text-muted">{list.map(channelName).join(', ')}</p>
      ) : (
        <div className="grid gap-1">
          {list.map(({ id, name, ...channel }) => (
            <CheckboxRow
              key={id}
              checked={ids.includes(id)}
              onCheckedChange={(checked) => toggle(id, checked === true)}
              note={channelNote(channel)}
            >
              <span className="font-medium">{name}</span>
            </CheckboxRow>
          ))}
        </div>
      )}
    </>
  );
}
