'use client';

import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { cn } from '@/app/_components/cn';
import { FailedQuery } from '@/app/_components/failed-query';
import { formatCount, formatDuration } from '@/app/_components/format';
import { useKeysSwitch } from '@/app/_components/keys';
import { LoadMore } from '@/app/_components/load-more';
import { SelectRow } from '@/app/_components/selection/selection-bar';
import type { Selection } from '@/app/_components/selection/use-selection';
import { Glyph } from '@/app/_components/status/glyph';
import { Reason } from '@/app/_components/status/reason';
import { Elapsed, Timestamp } from '@/app/_components/time/time';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Cell, ColumnHead, GroupRow, Row, RowLink, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { uniqueById } from '@/app/_components/unique-by-id';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { firstPage } from '@/app/_trpc/first-page';
import type { IncidentCounts, IncidentListRow, IncidentStatus, ListIncidentsInput } from '@/server/incidents/schema';
import { incidentStatuses } from '@/server/incidents/values';
import { severities } from '@/server/monitor-lists/values';
import { incidentSeconds, incidentState, incidentTitle, incidentWords, severityWords } from './incident-words';

export type IncidentFilter = Partial<Omit<ListIncidentsInput, 'limit' | 'cursor'>>;

export interface IncidentListProps {
  filter: IncidentFilter;
  /** Whether the user can acknowledge incidents. */
  canWrite?: boolean;
  /** The selection, if the list offers one. Resolved incidents cannot be selected. */
  selection?: Selection<IncidentListRow>;
  /** The number of each status, for the headings of a list by status. */
  counts?: IncidentCounts | undefined;
  /** The empty state. */
  empty: React.ReactNode;
  /** The first page, if the server rendered it. */
  initial?: { incidents: IncidentListRow[]; nextCursor: string | null } | undefined;
}

/** A list of incidents, with a heading for each status or severity if it is sorted by that. */
export function IncidentList({ filter, canWrite = false, selection, counts, empty, initial }: IncidentListProps) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.incidents.list.infiniteQueryOptions(
      { ...filter, limit: 50 },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        ...(initial && { initialData: firstPage(initial) }),
      },
    ),
  );
  const all = query.data?.pages.flatMap((page) => page.incidents);
  if (query.isPending) return <RowsLoading label="Loading incidents" />;
  if (!all) {
    return (
      <FailedQuery query={query} title="Could not load incidents">
        Monitoring is not affected.
      </FailedQuery>
    );
  }
  if (all.length === 0) {
    return (
      <>
        {empty}
        <LoadMore query={query} />
      </>
    );
  }
  const rows = uniqueById(all);
  const isSelecting = selection !== undefined && selection.selected !== null;
  const groups = groupsOf(filter.order, counts).map((group) => ({ ...group, own: rows.filter(group.has) }));
  const select = (incident: IncidentListRow, isRange: boolean) => {
    if (!isRange) return selection?.toggle(incident);
    selection?.selectTo(incident, groups.flatMap(({ own }) => own).filter(canSelect));
  };
  return (
    <>
      <Table
        label="Incidents"
        className={
          isSelecting
            ? '[--cols:16px_16px_minmax(0,1fr)_auto] lg:[--cols:16px_16px_minmax(0,1fr)_80px_140px_100px_190px]'
            : '[--cols:16px_minmax(0,1fr)_auto] lg:[--cols:16px_minmax(0,1fr)_80px_140px_100px_190px]'
        }
      >
        <TableHead>
          {isSelecting ? <ColumnHead hidden>Select</ColumnHead> : null}
          <ColumnHead hidden>Status</ColumnHead>
          <ColumnHead>Incident</ColumnHead>
          <ColumnHead>Severity</ColumnHead>
          <ColumnHead>Assignee</ColumnHead>
          <ColumnHead>Duration</ColumnHead>
          <ColumnHead right>Started</ColumnHead>
        </TableHead>
        {groups.map(({ name, count, own }) =>
          own.length === 0 ? null : (
            <TableBody key={name}>
              {name === null ? null : <GroupRow name={name} count={count} />}
              {own.map((incident) => (
                <IncidentRow
                  key={incident.id}
                  incident={incident}
                  canWrite={canWrite}
                  isSelected={selection?.selected ? selection.selected.has(incident.id) : null}
                  onSelect={selection && select}
                />
              ))}
            </TableBody>
          ),
        )}
      </Table>
      <LoadMore query={query} />
    </>
  );
}

interface Group {
  /** The heading; null for a list without groups. */
  name: string | null;
  /** The number of all its incidents; undefined if unknown. */
  count?: number | undefined;
  has: (row: IncidentListRow) => boolean;
}

/** Returns the groups of a list in its order. By severity, resolved incidents are one group, the last one. */
function groupsOf(order: IncidentFilter['order'], counts: IncidentCounts | undefined): Group[] {
  const ofStatus = (status: IncidentStatus): Group => {
    return { name: incidentWords[status], count: counts?.[status], has: (row) => row.status === status };
  };
  if (order === 'status') return incidentStatuses.map(ofStatus);
  if (order !== 'severity') return [{ name: null, has: () => true }];
  const unresolved = severities.map((severity): Group => {
    return { name: severityWords[severity], has: (row) => row.status !== 'resolved' && row.severity === severity };
  });
  return [...unresolved, ofStatus('resolved')];
}

interface IncidentRowProps {
  incident: IncidentListRow;
  canWrite: boolean;
  /** Null outside of the selection mode. */
  isSelected: boolean | null;
  /** Selects or deselects it, or selects all from the last one. */
  onSelect: ((incident: IncidentListRow, isRange: boolean) => void) | undefined;
}

const canSelect = ({ status }: IncidentListRow) => status !== 'resolved';

function IncidentRow({ incident, canWrite, isSelected, onSelect }: IncidentRowProps) {
  const { isOn } = useKeysSwitch();
  const seconds = incidentSeconds(incident);
  const duration = seconds === null ? <Elapsed at={incident.startedAt} /> : formatDuration(seconds);
  const isOpen = incident.status === 'open';
  const select = onSelect && canSelect(incident) ? (isRange: boolean) => onSelect(incident, isRange) : null;
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'x' || !isOn || !select || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    select(event.shiftKey);
  };
  return (
    <Row className="max-lg:gap-y-1" onKeyDown={onKeyDown}>
      {isSelected === null ? null : (
        <Cell>
          {select ? (
            <SelectRow name={incidentTitle(incident, incident.monitorName)} isSelected={isSelected} onSelect={select} />
          ) : null}
        </Cell>
      )}
      <Cell>
        <StatusGlyph incident={incident} />
      </Cell>
      <Cell className="grid min-w-0 py-1.5">
        <RowLink href={`/incidents/${incident.id}`} className={cn(seconds !== null && 'text-muted')}>
          {incidentTitle(incident, incident.monitorName)}
        </RowLink>
        <span className="truncate text-small text-muted">
          <span className="lg:hidden">
            {severityWords[incident.severity]}, {duration}
            {incident.assigneeName ? `, ${incident.assigneeName}` : null}
            {hasMore(incident) ? '. ' : null}
          </span>
          {incident.parentIncidentId ? 'Caused by a parent incident. ' : null}
          {dependentsText(incident)}
          {incident.components.length > 0 ? `Affects ${componentList(incident)}. ` : null}
          {incident.cause ? <Reason text={incident.cause} /> : null}
        </span>
      </Cell>
      <Cell className={cn('max-lg:hidden', isOpen && incident.severity === 'critical' && 'font-medium text-down-fg')}>
        {severityWords[incident.severity]}
      </Cell>
      <Cell className="truncate text-muted max-lg:hidden">{incident.assigneeName ?? '–'}</Cell>
      <Cell className="num text-muted max-lg:hidden">{duration}</Cell>
      <Cell right className="flex items-center justify-end gap-2 text-small text-faint">
        <span className="max-lg:hidden">
          <Timestamp at={incident.startedAt} />
        </span>
        {isOpen && canWrite && isSelected === null ? <AcknowledgeButton incident={incident} /> : null}
      </Cell>
    </Row>
  );
}

/** Whether a row has details besides severity, duration and assignee. */
function hasMore({ cause, components, parentIncidentId, dependentIncidentCount }: IncidentListRow): boolean {
  return cause !== null || components.length > 0 || parentIncidentId !== null || dependentIncidentCount > 0;
}

/** "40 incidents of dependent monitors. " */
function dependentsText({ dependentIncidentCount: count }: IncidentListRow): string | null {
  if (count === 0) return null;
  return count === 1
    ? '1 incident of a dependent monitor. '
    : `${formatCount(count)} incidents of dependent monitors. `;
}

const componentList = ({ components }: IncidentListRow) => components.map(({ name }) => name).join(', ');

function StatusGlyph({ incident }: { incident: IncidentListRow }) {
  const state = incidentState(incident);
  return (
    <span data-state={state} className="grid text-s-fg">
      <Glyph state={state} />
      <span className="sr-only">{incidentWords[incident.status]}</span>
    </span>
  );
}

function AcknowledgeButton({ incident }: { incident: IncidentListRow }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const acknowledging = useMutation(
    trpc.incidents.acknowledge.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.incidents.pathFilter()),
      onSuccess: () => toast('Acknowledged.'),
      onError: (error) => toast.error(readApiError(error).message),
    }),
  );
  return (
    <Button
      size="small"
      busy={acknowledging.isPending}
      aria-label={`Acknowledge ${incidentTitle(incident, incident.monitorName)}`}
      onClick={() => acknowledging.mutate({ id: incident.id })}
    >
      Acknowledge
    </Button>
  );
}
