'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatCount } from '@/app/_components/format';
import { maintenanceOf } from '@/app/_components/monitors/use-monitor-actions';
import { actInBulk } from '@/app/_components/selection/act-in-bulk';
import { BulkButton, SelectionBar } from '@/app/_components/selection/selection-bar';
import { useBulk } from '@/app/_components/selection/use-bulk';
import { MOST_SELECTED, type Selection } from '@/app/_components/selection/use-selection';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { OverviewRow } from '@/server/monitor-types/schema';
import { type Filters, overviewInput } from './filters';
import { startMaintenanceOfAll } from './start-maintenance';

type Rows = readonly OverviewRow[];
type Action = 'pause' | 'resume';

const nameOf = ({ name }: OverviewRow) => name;
const words = {
  pause: { past: 'paused', undo: 'resume' },
  resume: { past: 'resumed', undo: 'pause' },
} as const satisfies Record<Action, { past: string; undo: Action }>;

function countWords(count: number): string {
  return count === 1 ? '1 monitor' : `${formatCount(count)} monitors`;
}

function wereNot(count: number, past: string): string {
  return `${countWords(count)} ${count === 1 ? 'was' : 'were'} not ${past}`;
}

/** The bulk actions for selected monitors. */
export function useMonitorsBar(
  selection: Selection<OverviewRow>,
  { filters, matching }: { filters: Filters; matching: number },
) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation(trpc.monitors.bulk.mutationOptions());
  const starting = useMutation(trpc.maintenance.start.mutationOptions());
  const ending = useMutation(
    trpc.maintenance.end.mutationOptions({
      onSettled: () => refresh(),
      onError: (error) => toast.error(readApiError(error).message),
    }),
  );
  const { run, isBusy, notice } = useBulk(selection);
  const refresh = () => queryClient.invalidateQueries(trpc.monitors.pathFilter());

  function setActive(action: Action, rows: Rows) {
    const { past, undo } = words[action];
    const act = () => actInBulk(rows, (ids) => mutateAsync({ action, ids })).finally(refresh);
    void run(act, {
      nameOf,
      done: (done) =>
        `${action === 'pause' ? 'Paused' : 'Resumed'} ${done.length === 1 ? done[0]?.name : countWords(done.length)}`,
      unchanged: (count) => `${formatCount(count)} ${count === 1 ? 'was' : 'were'} ${past} before`,
      refused: (count) => wereNot(count, past),
      undo: { label: 'Undo', run: (done) => setActive(undo, done) },
    });
  }

  function startMaintenance(rows: Rows) {
    let windowId: string | null = null;
    const act = async () => {
      const started = await startMaintenanceOfAll(rows, (some) => starting.mutateAsync(maintenanceOf(some))).finally(
        refresh,
      );
      windowId = started.windowId;
      return started;
    };
    void run(act, {
      nameOf,
      done: (done) => `Started maintenance of ${done.length === 1 ? done[0]?.name : countWords(done.length)} for 1 h`,
      refused: (count) => `Maintenance was not started for ${countWords(count)}`,
      undo: { label: 'End now', run: () => windowId && ending.mutate({ id: windowId }) },
    });
  }

  async function readAll(): Promise<OverviewRow[]> {
    const rows: OverviewRow[] = [];
    let cursor: string | null | undefined;
    do {
      const input = { ...overviewInput(filters), ...(cursor && { cursor }) };
      const page = await queryClient.fetchQuery(trpc.monitors.overview.queryOptions(input, { staleTime: 0 }));
      rows.push(...page.rows);
      cursor = page.nextCursor;
    } while (cursor && rows.length < MOST_SELECTED);
    return rows;
  }

  const rows = [...(selection.selected?.values() ?? [])];
  const disabled = rows.length === 0 || isBusy;
  const bar = (
    <SelectionBar selection={selection} all={{ count: matching, read: readAll }}>
      <BulkButton icon="pause" label="Pause" disabled={disabled} onClick={() => setActive('pause', rows)} />
      <BulkButton icon="play" label="Resume" disabled={disabled} onClick={() => setActive('resume', rows)} />
      <BulkButton
        icon="maintenance"
        label="Start maintenance for 1 h"
        disabled={disabled}
        onClick={() => startMaintenance(rows)}
      />
    </SelectionBar>
  );
  return { bar, notice };
}
