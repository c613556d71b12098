'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '@/app/_components/format';
import { incidentTitle } from '@/app/_components/incidents/incident-words';
import { actInBulk } from '@/app/_components/selection/act-in-bulk';
import { BulkButton, SelectionBar } from '@/app/_components/selection/selection-bar';
import { useBulk } from '@/app/_components/selection/use-bulk';
import { MOST_SELECTED, type Selection } from '@/app/_components/selection/use-selection';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { useTRPC } from '@/app/_trpc/client';
import type { BulkIncidentsInput, IncidentCounts, IncidentListRow } from '@/server/incidents/schema';
import { type Filters, listFilter } from './filters';

type Action = BulkIncidentsInput['action'];

const past: Record<Action, string> = { acknowledge: 'acknowledged', resolve: 'resolved' };
const nameOf = (row: IncidentListRow) => `“${incidentTitle(row, row.monitorName)}”`;

function countWords(count: number): string {
  return count === 1 ? '1 incident' : `${formatCount(count)} incidents`;
}

/** The number of unresolved incidents that match the filters. */
function unresolvedCount({ status }: Filters, counts: IncidentCounts | undefined): number {
  if (!counts || status === 'resolved') return 0;
  return status === null ? counts.open + counts.acknowledged : counts[status];
}

/** The bulk actions for selected incidents. */
export function useIncidentsBar(
  selection: Selection<IncidentListRow>,
  { filters, counts }: { filters: Filters; counts: IncidentCounts | undefined },
) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { mutateAsync } = useMutation(trpc.incidents.bulk.mutationOptions());
  const { run, isBusy, notice } = useBulk(selection);
  const rows = [...(selection.selected?.values() ?? [])];

  async function act(action: Action) {
    const refresh = () =>
      Promise.all([
        queryClient.invalidateQueries(trpc.incidents.pathFilter()),
        queryClient.invalidateQueries(trpc.monitors.pathFilter()),
      ]);
    await run(() => actInBulk(rows, (ids) => mutateAsync({ action, ids })).finally(refresh), {
      nameOf,
      done: (done) => `${action === 'acknowledge' ? 'Acknowledged' : 'Resolved'} ${countWords(done.length)}`,
      unchanged: (count) => `${formatCount(count)} ${count === 1 ? 'was' : 'were'} ${past[action]} before`,
      refused: (count) => `${countWords(count)} ${count === 1 ? 'was' : 'were'} not ${past[action]}`,
    });
    setAsking(false);
  }

  async function readAll(): Promise<IncidentListRow[]> {
    const all: IncidentListRow[] = [];
    let cursor: string | null | undefined;
    do {
      const input = { ...listFilter(filters), status: filters.status ?? ('unresolved' as const), limit: 100 };
      const options = trpc.incidents.list.queryOptions({ ...input, ...(cursor && { cursor }) }, { staleTime: 0 });
      const page = await queryClient.fetchQuery(options);
      all.push(...page.incidents);
      cursor = page.nextCursor;
    } while (cursor && all.length < MOST_SELECTED);
    return all;
  }

  const disabled = rows.length === 0 || isBusy;
  const bar = (
    <>
      <SelectionBar selection={selection} all={{ count: unresolvedCount(filters, counts), read: readAll }}>
        <BulkButton icon="eye" label="Acknowledge" disabled={disabled} onClick={() => act('acknowledge')} />
        <BulkButton icon="check" label="Resolve" disabled={disabled} onClick={() => setAsking(true)} />
      </SelectionBar>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Resolve ${countWords(rows.length)}?`}
        safe="Keep open"
        verb="Resolve"
        doing={{ isPending: isBusy, error: null, reset: () => undefined }}
        onConfirm={() => act('resolve')}
      >
        The channels that were alerted are notified. Where a monitor is still down, its next failing check opens a new
        incident.
      </AlertDialog>
    </>
  );
  return { bar, notice };
}
