'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePathname, useRouter } from 'next/navigation';
import { leave } from '@/app/_components/forms/use-leave-guard';
import { useMonitorActions } from '@/app/_components/monitors/use-monitor-actions';
import { toast } from '@/app/_components/toast/toast';
import type { IconName } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { isPassive, type MonitorType } from '@/server/monitor-lists/values';
import type { FoundMonitor } from '@/server/monitor-types/schema';

export interface Action {
  icon: IconName;
  label: string;
  act: () => void;
  /** The shortcut that does the same on its page. */
  key?: string;
  /** Whether it acts on what the current page shows. */
  isOfPage: boolean;
}

/** The ID in the path of a page about one object. */
function idIn(pathname: string, list: string): string | undefined {
  const [, first, id] = pathname.split('/');
  return first === list && id !== 'new' ? id : undefined;
}

interface Named {
  id: string;
  name: string;
  type: MonitorType;
  isPaused: boolean;
}

/** What the palette can do. For a component that stays when the palette closes, because an action reports its result later. */
export function useCommands() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const monitors = useMonitorActions();
  const acknowledging = useMutation(
    trpc.incidents.acknowledge.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.incidents.pathFilter()),
      onError: (error) => toast.error(readApiError(error).message),
    }),
  );
  const acknowledge = ({ id, title }: { id: string; title: string }) =>
    acknowledging.mutate({ id }, { onSuccess: () => toast(`Acknowledged ${title}`) });
  return { monitors, acknowledge };
}

/** The actions on the monitor or incident of the current page, on the first monitor that was found, and those of the team. */
export function useActions(
  commands: ReturnType<typeof useCommands>,
  { canWrite, found }: { canWrite: boolean; found: FoundMonitor | undefined },
): Action[] {
  const trpc = useTRPC();
  const router = useRouter();
  const pathname = usePathname();
  const monitorId = idIn(pathname, 'monitors');
  const incidentId = idIn(pathname, 'incidents');
  const monitor = useQuery(
    trpc.monitors.get.queryOptions({ id: monitorId ?? '' }, { enabled: monitorId !== undefined, retry: false }),
  ).data?.monitor;
  const incident = useQuery(
    trpc.incidents.get.queryOptions({ id: incidentId ?? '' }, { enabled: incidentId !== undefined, retry: false }),
  ).data?.incident;
  if (!canWrite) return [];
  const { monitors, acknowledge } = commands;

  const go = (href: string) => leave(() => router.push(href));
  const ofMonitor = (each: Named, isOfPage: boolean): Action[] => {
    const keyed = (key: string) => (isOfPage ? { key } : {});
    return [
      ...(isPassive(each.type)
        ? []
        : [
            {
              icon: 'refresh' as const,
              label: `Check now: ${each.name}`,
              act: () => monitors.checkNow(each),
              isOfPage,
              ...keyed('C'),
            },
          ]),
      {
        icon: each.isPaused ? 'play' : 'pause',
        label: `${each.isPaused ? 'Resume' : 'Pause'}: ${each.name}`,
        act: () => monitors.setActive(each, each.isPaused),
        isOfPage,
        ...keyed('P'),
      },
      {
        icon: 'maintenance',
        label: `Start maintenance for 1 h: ${each.name}`,
        act: () => monitors.startMaintenance(each),
        isOfPage,
      },
      {
        icon: 'edit',
        label: `Edit: ${each.name}`,
        act: () => go(`/monitors/${each.id}/edit`),
        isOfPage,
        ...keyed('E'),
      },
    ];
  };
  const acknowledging: Action[] =
    incident?.status === 'open'
      ? [
          {
            icon: 'eye',
            label: `Acknowledge: ${incident.title}`,
            act: () => acknowledge({ id: incident.id, title: incident.title ?? 'the incident' }),
            key: 'A',
            isOfPage: true,
          },
        ]
      : [];
  const create = [
    { label: 'New monitor', href: '/monitors/new' },
    { label: 'New incident', href: '/incidents/new' },
    { label: 'New channel', href: '/channels/new' },
    { label: 'New maintenance window', href: '/maintenance/new' },
    { label: 'New status page', href: '/status-pages/new' },
  ].map(({ label, href }): Action => ({ icon: 'plus', label, act: () => go(href), isOfPage: false }));
  return [
    ...(monitor ? ofMonitor({ ...monitor, isPaused: monitor.isActive === 0 }, true) : []),
    ...acknowledging,
    ...(found && found.id !== monitorId ? ofMonitor({ ...found, isPaused: found.status === 'paused' }, false) : []),
    ...create,
  ];
}
