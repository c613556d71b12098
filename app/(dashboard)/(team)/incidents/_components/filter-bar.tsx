'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { FindComponent, useHasComponents } from '@/app/_components/find-component';
import { incidentTypeWords, severityOptions } from '@/app/_components/incidents/incident-words';
import { FindMonitor } from '@/app/_components/monitors/find-monitor';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Icon, type IconName } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { IncidentSeverity, IncidentType } from '@/server/incidents/schema';
import type { Filters, Order } from './filters';

type Change = (filters: Partial<Filters>, change?: 'push' | 'replace') => void;

const ALL = 'all';
const waitMs = 250;

const orders: readonly { value: Order; label: string }[] = [
  { value: 'status', label: 'Open first' },
  { value: 'severity', label: 'Worst first' },
  { value: 'newest', label: 'Newest first' },
];
const severities = [{ value: ALL, label: 'Any severity' }, ...severityOptions];
const types = [
  { value: ALL, label: 'Any type' },
  ...IncidentType.options.map((value) => ({ value, label: incidentTypeWords[value] })),
];

interface FilterBarProps {
  filters: Filters;
  onChange: Change;
  /** Whether the team has components, as the server found it. */
  hasComponents: boolean;
}

/** The order of the list, and its filters beside status and search. */
export function FilterBar({ filters, onChange, hasComponents }: FilterBarProps) {
  const trpc = useTRPC();
  const members = useQuery(trpc.teams.members.list.queryOptions({ limit: 100 })).data?.members ?? [];
  const assignees = [
    { value: ALL, label: 'Any assignee' },
    { value: 'none', label: 'Unassigned' },
    ...members.map(({ id, name, email }) => ({ value: id, label: name ?? email })),
  ];
  return (
    <div className="contents max-sm:flex max-sm:basis-full max-sm:gap-2 max-sm:overflow-x-auto max-sm:py-1 max-sm:*:shrink-0">
      <Select
        look="quiet"
        aria-label="Sort by"
        options={orders}
        value={filters.order}
        onValueChange={(order) => onChange({ order })}
      />
      <Select
        look="quiet"
        aria-label="Severity"
        options={severities}
        value={filters.severity ?? ALL}
        onValueChange={(value) => onChange({ severity: IncidentSeverity.safeParse(value).data ?? null })}
      />
      <Select
        look="quiet"
        aria-label="Type"
        options={types}
        value={filters.type ?? ALL}
        onValueChange={(value) => onChange({ type: IncidentType.safeParse(value).data ?? null })}
      />
      <Select
        look="quiet"
        aria-label="Assignee"
        options={assignees}
        value={filters.assigneeId ?? ALL}
        onValueChange={(value) => onChange({ assigneeId: value === ALL ? null : value })}
      />
      {filters.parentIncidentId === null ? null : (
        <ParentFilter id={filters.parentIncidentId} onRemove={() => onChange({ parentIncidentId: null })} />
      )}
      <TagFilter value={filters.tag} onChange={(tag) => onChange({ tag }, 'replace')} />
      <MonitorFilter value={filters.monitorId} onChange={(monitorId) => onChange({ monitorId })} />
      <ComponentFilter
        value={filters.componentId}
        onChange={(componentId) => onChange({ componentId })}
        hadComponents={hasComponents}
      />
      <Button aria-pressed={filters.hasPostmortem} onClick={() => onChange({ hasPostmortem: !filters.hasPostmortem })}>
        <Icon name="note" small />
        Postmortem
      </Button>
    </div>
  );
}

/** The filter for a tag, debounced. */
function TagFilter({ value, onChange }: { value: string; onChange: (tag: string) => void }) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const change = useRef(onChange);
  change.current = onChange;
  // The URL changed elsewhere (back button, cleared filters), so update the field.
  if (known !== value) {
    setKnown(value);
    if (text.trim().toLowerCase() !== value) setText(value);
  }
  useEffect(() => {
    const tag = text.trim().toLowerCase();
    if (tag === value) return;
    const timer = setTimeout(() => change.current(tag), waitMs);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <Input
      aria-label="Tag"
      placeholder="Tag"
      value={text}
      maxLength={50}
      onChange={(event) => setText(event.target.value)}
      className="w-28 border-strong"
    />
  );
}

/** The filter for the dependent incidents of a parent, set by a link on the parent's page. */
function ParentFilter({ id, onRemove }: { id: string; onRemove: () => void }) {
  const trpc = useTRPC();
  const incident = useQuery(trpc.incidents.get.queryOptions({ id }, { retry: false })).data?.incident;
  return (
    <Button aria-label="Remove the parent incident filter" onClick={onRemove} className="max-w-56">
      <span className="truncate">Caused by {incident?.title ?? 'a parent incident'}</span>
      <Icon name="x" small />
    </Button>
  );
}

interface ChoiceFilterProps {
  value: string | null;
  onChange: (id: string | null) => void;
}

function MonitorFilter({ value, onChange }: ChoiceFilterProps) {
  const trpc = useTRPC();
  const monitor = useQuery(
    trpc.monitors.get.queryOptions({ id: value ?? '' }, { enabled: value !== null, retry: false }),
  ).data?.monitor;
  return (
    <ChoiceFilter
      value={value}
      onChange={onChange}
      noun="monitor"
      name={monitor?.name}
      icon="monitors"
      find={(choose) => (
        <FindMonitor
          label="Monitor"
          verb="Show"
          listLabel="Available monitors"
          autoFocus
          onChoose={({ id }) => choose(id)}
        />
      )}
    />
  );
}

/** The filter for a component. Offered if the team has components without a monitor. */
function ComponentFilter({ value, onChange, hadComponents }: ChoiceFilterProps & { hadComponents: boolean }) {
  const trpc = useTRPC();
  const hasComponents = useHasComponents(hadComponents);
  const component = useQuery(
    trpc.statusPageComponents.get.queryOptions({ id: value ?? '' }, { enabled: value !== null, retry: false }),
  ).data?.component;
  if (!hasComponents && value === null) return null;
  return (
    <ChoiceFilter
      value={value}
      onChange={onChange}
      noun="component"
      name={component?.name}
      icon="pages"
      find={(choose) => <FindComponent label="Component" verb="Show" autoFocus onChoose={choose} />}
    />
  );
}

interface ChoiceFilterBoxProps extends ChoiceFilterProps {
  noun: 'monitor' | 'component';
  /** The name of the chosen object; undefined while it loads. */
  name: string | undefined;
  icon: IconName;
  find: (choose: (id: string) => void) => React.ReactNode;
}

/** A filter for one object, which is chosen in a dialog. */
function ChoiceFilter({ value, onChange, noun, name, icon, find }: ChoiceFilterBoxProps) {
  const [choosing, setChoosing] = useState(false);
  const label = noun === 'monitor' ? 'Monitor' : 'Component';
  if (value !== null) {
    return (
      <Button aria-label={`Remove the ${noun} filter`} onClick={() => onChange(null)} className="max-w-56">
        <span className="truncate">{name ?? label}</span>
        <Icon name="x" small />
      </Button>
    );
  }
  return (
    <>
      <Button onClick={() => setChoosing(true)}>
        <Icon name={icon} />
        {label}
      </Button>
      <Dialog open={choosing} onOpenChange={setChoosing} title={`Show incidents of a ${noun}`}>
        {find((id) => {
          onChange(id);
          setChoosing(false);
        })}
      </Dialog>
    </>
  );
}
