'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { channelIcon, channelNote } from '@/app/_components/channels';
import { linkClass, Section } from '@/app/_components/page';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';

export interface AlertsToProps {
  monitorId: string;
  /** Null for all channels of the team. */
  channelIds: string[] | null;
  canWrite: boolean;
}

/** The channels that get a monitor's alerts, with a link to add one if there is none. */
export function AlertsTo({ monitorId, channelIds, canWrite }: AlertsToProps) {
  const trpc = useTRPC();
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: 100 }));
  if (!channels.data) return null;
  const all = channels.data.channels;
  const told = all.filter(({ id }) => channelIds === null || channelIds.includes(id));
  // Unconfirmed addresses get no messages.
  const pending = new Set(
    all.flatMap((channel) => ('confirmation' in channel && channel.confirmation === 'pending' ? [channel.id] : [])),
  );
  return (
    <Section title="Notifications">
      {told.length > 0 ? (
        <ul className="divide-y">
          {told.map(({ id, name, type, state }) => (
            <li key={id} className="flex items-center gap-2 py-[7px]">
              <Icon name={channelIcon(type)} className="text-muted" />
              <Link href={`/channels/${id}`} className={`${linkClass} min-w-0 [overflow-wrap:anywhere]`}>
                {name}
              </Link>
              <span className="ml-auto text-faint">
                {channelNote({ type, state })}
                {pending.has(id) ? ', not confirmed' : null}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-muted">
          {all.length === 0 ? 'No alert channels yet.' : 'No channels selected for this monitor.'}{' '}
          {canWrite ? (
            <Link href={all.length === 0 ? '/channels/new' : `/monitors/${monitorId}/edit`} className={linkClass}>
              {all.length === 0 ? 'Add channel' : 'Select channels'}
            </Link>
          ) : null}
        </p>
      )}
    </Section>
  );
}
