'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { channelIcons, channelWords } from '@/app/_components/channels';
import { Icon } from '@/app/_components/ui/icon';
import { linkClass, Section } from '@/app/_components/ui/page';
import { useTRPC } from '@/app/_trpc/client';

/** Who hears of a monitor. `channelIds` null means every channel of the team. */
export function AlertsTo({ channelIds }: { channelIds: string[] | null }) {
  const trpc = useTRPC();
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: 100 }));
  if (!channels.data) return null;
  const told = channels.data.channels.filter(({ id }) => channelIds === null || channelIds.includes(id));
  return (
    <Section title="Alerts go to">
      {told.length > 0 ? (
        <ul className="divide-y">
          {told.map(({ id, name, type }) => (
            <li key={id} className="flex items-center gap-2 py-[7px]">
              <Icon name={channelIcons[type]} className="text-muted" />
              <Link href={`/channels/${id}`} className={`${linkClass} min-w-0 [overflow-wrap:anywhere]`}>
                {name}
              </Link>
              <span className="ml-auto text-faint">{channelWords[type]}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-muted">
          Nobody.{' '}
          <Link href="/channels/new" className={linkClass}>
            Add a channel
          </Link>
        </p>
      )}
    </Section>
  );
}
