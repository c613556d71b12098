'use client';

import { useQuery } from '@tanstack/react-query';
import { FilterChips } from '@/app/_components/filter-chips';
import { useMemberName } from '@/app/_components/find-member';
import { incidentTypeWords } from '@/app/_components/incidents/incident-words';
import { useTRPC } from '@/app/_trpc/client';
import { type Filters, NO_ASSIGNEE } from './filters';

const labels = {
  assigneeId: 'Assignee',
  type: 'Type',
  tag: 'Tag',
  monitorId: 'Monitor',
  componentId: 'Component',
  hasPostmortem: 'Postmortem',
  parentIncidentId: 'Caused by',
} as const;
type Chip = keyof typeof labels;

const none: Pick<Filters, Chip> = {
  assigneeId: null,
  type: null,
  tag: '',
  monitorId: null,
  componentId: null,
  hasPostmortem: false,
  parentIncidentId: null,
};

export interface IncidentChipsProps {
  filters: Filters;
  onChange: (filters: Partial<Filters>) => void;
}

/** The filters of the list that the toolbar does not show, each with a button that removes it. */
export function IncidentChips({ filters, onChange }: IncidentChipsProps) {
  const { assigneeId, type, tag, monitorId, componentId, hasPostmortem, parentIncidentId } = filters;
  const trpc = useTRPC();
  const memberId = assigneeId === NO_ASSIGNEE ? null : assigneeId;
  const member = useMemberName(memberId);
  const isGiven = (id: string | null) => ({ enabled: id !== null, retry: false });
  const monitor = useQuery(trpc.monitors.get.queryOptions({ id: monitorId ?? '' }, isGiven(monitorId))).data?.monitor;
  const component = useQuery(
    trpc.statusPageComponents.get.queryOptions({ id: componentId ?? '' }, isGiven(componentId)),
  ).data?.component;
  const parent = useQuery(trpc.incidents.get.queryOptions({ id: parentIncidentId ?? '' }, isGiven(parentIncidentId)))
    .data?.incident;
  const values: Record<Chip, string | null> = {
    assigneeId: memberId ? (member ?? '…') : assigneeId && 'nobody',
    type: type && incidentTypeWords[type],
    tag,
    monitorId: monitorId && (monitor?.name ?? 'a monitor'),
    componentId: componentId && (component?.name ?? 'a component'),
    hasPostmortem: hasPostmortem ? 'published' : null,
    parentIncidentId: parentIncidentId && (parent?.title ?? 'another incident'),
  };
  const chips = (Object.keys(labels) as Chip[]).flatMap((key) => {
    const value = values[key];
    return value ? [{ key, label: labels[key], value }] : [];
  });
  return (
    <FilterChips chips={chips} onRemove={(key) => onChange({ [key]: none[key] })} onClear={() => onChange(none)} />
  );
}
