'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import { anyNotifies, CHANNELS_READ, isComplete, type Setup, toSetup } from './setup';

/**
 * How far the team has set up Upwatch. Follows changes until it is complete, also when the browser goes back to a page.
 * @param initial as the server found it; undefined if it could not be read
 */
export function useSetup(initial: Setup | undefined): Setup | undefined {
  const trpc = useTRPC();
  const options = { enabled: initial !== undefined && !isComplete(initial) };
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: CHANNELS_READ }, options)).data;
  const pages = useQuery(trpc.statusPages.list.queryOptions({ limit: 1 }, options)).data;
  const needsPolicies = options.enabled && channels !== undefined && !anyNotifies(channels.channels);
  const policies = useQuery(trpc.escalationPolicies.list.queryOptions({ limit: 1 }, { enabled: needsPolicies })).data
    ?.escalationPolicies;
  if (!channels || !pages || (needsPolicies && !policies)) return initial;
  return toSetup(channels.channels, policies ?? [], pages.statusPages);
}
