'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import { CHANNELS_READ, isComplete, type Setup, toSetup } from './setup';

/**
 * How far the team has set up Upwatch. Follows changes until it is complete, also when the browser goes back to a page.
 * @param initial as the server found it; undefined if it could not be read
 */
export function useSetup(initial: Setup | undefined): Setup | undefined {
  const trpc = useTRPC();
  const options = { enabled: initial !== undefined && !isComplete(initial) };
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: CHANNELS_READ }, options)).data;
  const policies = useQuery(trpc.escalationPolicies.list.queryOptions({ limit: 1 }, options)).data;
  const pages = useQuery(trpc.statusPages.list.queryOptions({ limit: 1 }, options)).data;
  if (!channels || !policies || !pages) return initial;
  return toSetup(channels.channels, policies.escalationPolicies, pages.statusPages);
}
