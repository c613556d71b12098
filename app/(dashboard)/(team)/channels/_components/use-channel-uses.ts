'use client';

import { useQuery } from '@tanstack/react-query';
import { channelName } from '@/app/_components/channels';
import { toUses, type Use, usePoliciesNaming } from '@/app/_components/on-call/used-by';
import { useTRPC } from '@/app/_trpc/client';

/** The uses of a channel besides its alert rules: in escalation policies, as a monitor's channel, and as a fallback; undefined while they load. */
export function useChannelUses(id: string, enabled: boolean): Use[] | undefined {
  const trpc = useTRPC();
  const policies = usePoliciesNaming(enabled ? id : undefined);
  const input = { limit: 100, channelId: id };
  const monitors = useQuery(trpc.monitors.list.queryOptions(input, { enabled })).data?.monitors;
  const ofTeam = useQuery(trpc.notifications.teamFallback.get.queryOptions()).data?.fallbackChannelId;
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: 100 })).data?.channels;
  if (!policies || !monitors || !channels || ofTeam === undefined) return undefined;
  return [
    ...toUses(policies, id),
    ...monitors.map((monitor) => ({ href: `/monitors/${monitor.id}`, name: monitor.name, where: 'alerts' })),
    ...(ofTeam === id ? [{ href: '/channels', name: 'The team', where: 'fallback' }] : []),
    ...channels
      .filter(({ fallbackChannelId }) => fallbackChannelId === id)
      .map((channel) => ({ href: `/channels/${channel.id}`, name: channelName(channel), where: 'fallback' })),
  ];
}
