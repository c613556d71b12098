'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '@/app/_components/format';
import { maintenanceOf } from '@/app/_components/monitors/use-monitor-actions';
import { actInBulk } from '@/app/_components/selection/act-in-bulk';
import { BulkButton, SelectionBar } from '@/app/_components/selection/selection-bar';
import { useBulk } from '@/app/_components/selection/use-bulk';
import { MOST_SELECTED, type Selection } from '@/app/_components/selection/use-selection';
import { toast } from '@/app/_components/toast/toast';
import { lazyPart } from '@/app/_components/ui/lazy-part';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { OverviewRow } from '@/server/monitor-types/schema';
import type { BulkDialog } from './bulk-dialogs';
import { countWords } from './count-words';
import { type Filters, overviewInput } from './filters';
import { startMaintenanceOfAll } from './start-maintenance';

// Loaded when one is opened for the first time.
const BulkDialogs = lazyPart(() => import('./bulk-dialogs').then((module) => module.BulkDialogs));

type Rows = readonly OverviewRow[];
type Action = 'pause' | 'resume';

const named = (rows: Rows) => (rows.length === 1 ? rows[0]?.name : countWords(rows.length));
const nameOf = ({ name }: OverviewRow) => name;
const words = {
  pause: { past: 'paused', undo: 'resume' },
  resume: { past: 'resumed', undo: 'pause' },
} as const satisfies Record<Action, { past: string; undo: Action }>;

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
  const [dialog, setDialog] = useState<BulkDialog | null>(null);
  const refresh = () => queryClient.invalidateQueries(trpc.monitors.pathFilter());

  function setActive(action: Action, rows: Rows) {
    const { past, undo } = words[action];
    const act = () => actInBulk(rows, (ids) => mutateAsync({ action, ids })).finally(refresh);
    void run(act, {
      nameOf,
      done: (done) => `${action === 'pause' ? 'Paused' : 'Resumed'} ${named(done)}`,
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
      done: (done) => `Started maintenance of ${named(done)} for 1 h`,
      refused: (count) => `Maintenance was not started for ${countWords(count)}`,
      undo: { label: 'End now', run: () => windowId && ending.mutate({ id: windowId }) },
    });
  }

  function checkNow(rows: Rows) {
    const act = () => actInBulk(rows, (ids) => mutateAsync({ action: 'check', ids }));
    void run(act, {
      nameOf,
      done: (done) => `Checking ${named(done)}`,
      unchanged: (count) => `${formatCount(count)} ${count === 1 ? 'was' : 'were'} checked within the last 10 s`,
      refused: (count) => wereNot(count, 'checked'),
    });
  }

  function setTag(rows: Rows, tag: string, isAdded: boolean) {
    const action = isAdded ? 'addTag' : 'removeTag';
    const act = () => actInBulk(rows, (ids) => mutateAsync({ action, ids, tag })).finally(refresh);
    void run(act, {
      nameOf,
      done: (done) => `${isAdded ? 'Added' : 'Removed'} ${tag} ${isAdded ? 'to' : 'from'} ${named(done)}`,
      unchanged: (count) => `${formatCount(count)} ${isAdded ? 'had the tag before' : 'did not have the tag'}`,
      refused: (count) => wereNot(count, 'changed'),
      undo: { label: 'Undo', run: (done) => setTag(done, tag, !isAdded) },
    });
  }

  function setChannels(rows: Rows, channelIds: string[] | null) {
    const act = () =>
      actInBulk(rows, (ids) => mutateAsync({ action: 'setChannels', ids, channelIds })).finally(refresh);
    void run(act, {
      nameOf,
      done: (done) => `Set the channels of ${named(done)}`,
      unchanged: (count) => `${formatCount(count)} had these before`,
      refused: (count) => wereNot(count, 'changed'),
    });
  }

  function remove(rows: Rows) {
    const act = () => actInBulk(rows, (ids) => mutateAsync({ action: 'delete', ids })).finally(refresh);
    void run(act, {
      nameOf,
      done: (done) => `Deleting ${named(done)} in 20 s`,
      refused: (count) => wereNot(count, 'deleted'),
      undo: { label: 'Undo', run: restore },
    });
  }

  function restore(rows: Rows) {
    const act = () => actInBulk(rows, (ids) => mutateAsync({ action: 'restore', ids })).finally(refresh);
    void run(act, {
      nameOf,
      done: (done) => `Kept ${named(done)}`,
      refused: (count) => wereNot(count, 'restored'),
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
      <BulkButton icon="refresh" label="Check now" disabled={disabled} onClick={() => checkNow(rows)} />
      <BulkButton icon="pause" label="Pause" disabled={disabled} onClick={() => setActive('pause', rows)} />
      <BulkButton icon="play" label="Resume" disabled={disabled} onClick={() => setActive('resume', rows)} />
      <BulkButton
        icon="maintenance"
        label="Maintenance"
        title="Start maintenance for 1 h"
        disabled={disabled}
        onClick={() => startMaintenance(rows)}
      />
      <BulkButton icon="tag" label="Tags…" disabled={disabled} onClick={() => setDialog('tags')} />
      <BulkButton icon="channels" label="Channels…" disabled={disabled} onClick={() => setDialog('channels')} />
      <BulkButton icon="trash" label="Delete…" disabled={disabled} onClick={() => setDialog('delete')} />
    </SelectionBar>
  );
  const dialogs = dialog ? (
    <BulkDialogs
      dialog={dialog}
      count={rows.length}
      onClose={() => setDialog(null)}
      onTag={(tag, isAdded) => setTag(rows, tag, isAdded)}
      onChannels={(ids) => setChannels(rows, ids)}
      onDelete={() => remove(rows)}
    />
  ) : null;
  return { bar, notice, dialogs, restore };
}
