'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { Reachable } from '@/server/on-call/schema';

/** The members of the team with how escalations reach them; undefined while they load. */
export function usePeople(): Reachable[] | undefined {
  const trpc = useTRPC();
  return useQuery(trpc.onCall.reachable.queryOptions()).data?.people;
}
