'use client';

import { useQueries } from '@tanstack/react-query';
import { type Use, UsedBy } from '@/app/_components/on-call/used-by';
import { useTRPC } from '@/app/_trpc/client';
import type { EscalationPolicy } from '@/server/on-call/schema';

const MOST_NAMED = 20;

/** The monitors whose incidents follow a policy. */
export function PolicyMonitors({ policy: { monitorIds, tags } }: { policy: EscalationPolicy }) {
  const trpc = useTRPC();
  const ids = monitorIds ?? [];
  const monitors = useQueries({
    queries: ids.slice(0, MOST_NAMED).map((id) => trpc.monitors.get.queryOptions({ id }, { retry: false })),
  });
  const named = monitors.flatMap(({ data }): Use[] =>
    data ? [{ href: `/monitors/${data.monitor.id}`, name: data.monitor.name, where: '' }] : [],
  );
  const uses = [
    ...named,
    ...tags.map((tag) => ({
      href: `/monitors?q=${encodeURIComponent(tag)}`,
      name: `Monitors with tag ${tag}`,
      where: '',
    })),
    ...(ids.length > MOST_NAMED
      ? [{ href: '/monitors', name: `${ids.length - MOST_NAMED} other monitors`, where: '' }]
      : []),
  ];
  const isKnown = monitors.every(({ isPending }) => !isPending);
  return <UsedBy uses={isKnown ? uses : undefined} nothing="All incidents of the team without another policy." />;
}
