'use client';

import { useQuery } from '@tanstack/react-query';
import { channelKinds } from '@/app/_components/channels';
import { FailedQuery } from '@/app/_components/failed-query';
import { formatCount } from '@/app/_components/format';
import { NewButton } from '@/app/_components/new-button';
import { PageHead } from '@/app/_components/page';
import { RelativeTime } from '@/app/_components/time/time';
import { Empty } from '@/app/_components/ui/empty';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Cell, ColumnHead, Row, RowLink, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { useTRPC } from '@/app/_trpc/client';
import { type Channel, channelDefinitionOf } from '@/server/notifications/schema';
import { AlertGrouping } from './alert-grouping';
import { ChannelMark } from './channel-mark';
import { ChannelStateLabel } from './channel-state';
import { destinationOf } from './destination';
import { TeamFallback } from './fallback';

export interface ChannelsViewProps {
  initial: { channels: Channel[]; nextCursor: string | null } | undefined;
  canWrite: boolean;
  /** Whether the user may change the grouping of the team's alerts. */
  canGroup: boolean;
}

/** The list of all channels. Not paged, because a team has at most a hundred. */
export function ChannelsView({ initial, canWrite, canGroup }: ChannelsViewProps) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.notifications.list.queryOptions({ limit: 100 }, { ...(initial && { initialData: initial }) }),
  );
  const channels = query.data?.channels;
  const add = canWrite ? <NewButton href="/channels/new">New channel</NewButton> : null;
  return (
    <>
      <PageHead title="Channels" note={channels && channels.length > 0 ? formatCount(channels.length) : null}>
        {channels && channels.length > 0 ? add : null}
      </PageHead>
      {query.isPending ? <RowsLoading label="Loading the channels" /> : null}
      {query.isError && !channels ? (
        <FailedQuery query={query} title="Could not load the channels">
          Alerts are still sent. Only this list is unavailable.
        </FailedQuery>
      ) : null}
      {channels?.length === 0 ? (
        <Empty title="No alert channels yet" action={add}>
          Get alerts by {channelKinds}. Send a test to see the real response.
        </Empty>
      ) : null}
      {channels && channels.length > 0 ? (
        <>
          <ChannelsTable channels={channels} />
          <AlertGrouping canChange={canGroup} />
          <TeamFallback channels={channels} canChange={canGroup} />
        </>
      ) : null}
    </>
  );
}

function ChannelsTable({ channels }: { channels: Channel[] }) {
  return (
    <Table
      label="Channels"
      className="[--cols:28px_minmax(0,1fr)_auto] lg:[--cols:28px_minmax(0,1.3fr)_minmax(0,1.4fr)_130px_168px] lg:[&_.row]:px-2"
    >
      <TableHead>
        <ColumnHead hidden>Icon</ColumnHead>
        <ColumnHead>Name</ColumnHead>
        <ColumnHead>Destination</ColumnHead>
        <ColumnHead>Last delivery</ColumnHead>
        <ColumnHead>State</ColumnHead>
      </TableHead>
      <TableBody>
        {channels.map((channel) => (
          <Row key={channel.id} className="max-lg:gap-y-1 lg:min-h-14">
            <Cell>
              <ChannelMark type={channel.type} />
            </Cell>
            <Cell className="grid">
              <RowLink href={`/channels/${channel.id}`} className="max-lg:text-body">
                {channel.name}
              </RowLink>
              <span className="truncate text-small text-muted">{channelDefinitionOf(channel.type).label}</span>
            </Cell>
            <Cell className="truncate font-mono text-small text-faint max-lg:order-last max-lg:col-span-2 max-lg:col-start-2">
              {destinationOf(channel)}
              {'confirmation' in channel && channel.confirmation === 'pending' ? ' (not confirmed)' : null}
            </Cell>
            <Cell className="text-small text-faint max-lg:hidden">
              {channel.lastDeliveredAt ? <RelativeTime at={channel.lastDeliveredAt} /> : 'Never'}
            </Cell>
            <Cell className="flex items-center">
              <ChannelStateLabel channel={channel} />
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
