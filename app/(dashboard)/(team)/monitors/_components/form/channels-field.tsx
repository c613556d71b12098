'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useController } from 'react-hook-form';
import { channelName, channelNote } from '@/app/_components/channels';
import { linkClass } from '@/app/_components/page';
import { Alert } from '@/app/_components/ui/alert';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { useTRPC } from '@/app/_trpc/client';
import { ListError } from './fields';
import type { MonitorFields } from './monitor-fields';

const modes = [
  { value: 'all', label: 'All channels' },
  { value: 'some', label: 'Selected channels' },
] as const;

/** Selects the channels that get alerts: all, including future ones, or the chosen ones. */
export function ChannelsField() {
  const trpc = useTRPC();
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: 100 }));
  const all = useController<MonitorFields, 'allChannels'>({ name: 'allChannels' }).field;
  const chosen = useController<MonitorFields, 'channelIds'>({ name: 'channelIds' }).field;
  const list = channels.data?.channels ?? [];
  const toggle = (id: string, on: boolean) =>
    chosen.onChange(on ? [...chosen.value, id] : chosen.value.filter((each) => each !== id));

  if (channels.isSuccess && list.length === 0) {
    return (
      <p className="text-muted">
        No channels yet.{' '}
        <Link className={linkClass} href="/channels/new">
          Add a channel
        </Link>{' '}
        to get alerts from this monitor.
      </p>
    );
  }
  return (
    <div className="grid justify-items-start gap-3">
      <ToggleGroup
        label="Channels"
        options={modes}
        value={all.value ? 'all' : 'some'}
        onValueChange={(mode) => all.onChange(mode === 'all')}
      />
      {channels.isError ? (
        <Alert state="unknown">Could not load the channels. Your selection does not change.</Alert>
      ) : null}
      {all.value ? (
        <p className="text-muted">{list.map(channelName).join(', ')}</p>
      ) : (
        <div className="grid gap-1">
          {list.map(({ id, name, ...channel }) => (
            <CheckboxRow
              key={id}
              checked={chosen.value.includes(id)}
              onCheckedChange={(checked) => toggle(id, checked === true)}
              note={channelNote(channel)}
            >
              <span className="font-medium">{name}</span>
            </CheckboxRow>
          ))}
        </div>
      )}
      <ListError name="channelIds" />
    </div>
  );
}
