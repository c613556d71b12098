'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { saveCsv } from '@/app/_components/csv';
import { formatCount } from '@/app/_components/format';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { OverviewRow } from '@/server/monitor-types/schema';
import { countWords } from './count-words';
import { type Filters, orderInput } from './filters';
import { monitorsCsv } from './monitors-csv';

/** The maximum number of rows of one call. */
const ROWS_A_CALL = 100;

/**
 * Saves the filtered and sorted list as a CSV file: the order of at most `MOST_LISTED` monitors, then their rows, call by call. Each monitor has one line,
 * also if the list is grouped.
 */
export function useCsv(filters: Filters): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const isRunning = useRef(false);
  async function read() {
    const wanted = trpc.monitors.order.queryOptions(orderInput({ ...filters, group: null }), { staleTime: 0 });
    const order = await queryClient.fetchQuery(wanted);
    const ids = order.groups.flatMap((group) => group.ids);
    const rows: OverviewRow[] = [];
    for (let from = 0; from < ids.length; from += ROWS_A_CALL) {
      if (ids.length > ROWS_A_CALL) toast(`Reading ${formatCount(from)} of ${countWords(ids.length)}…`);
      const some = ids.slice(from, from + ROWS_A_CALL);
      const options = trpc.monitors.rows.queryOptions({ ids: some }, { staleTime: 0, gcTime: 0 });
      const byId = new Map((await queryClient.fetchQuery(options)).rows.map((row) => [row.id, row]));
      // Monitors that were deleted meanwhile are left out.
      rows.push(...some.flatMap((id) => byId.get(id) ?? []));
    }
    return { rows, isComplete: order.isComplete };
  }
  async function save() {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      const { rows, isComplete } = await read();
      saveCsv('monitors', monitorsCsv(rows, filters.hidden));
      toast(isComplete ? `Saved ${countWords(rows.length)}` : `Saved the first ${countWords(rows.length)}`);
    } catch (error) {
      toast.error(`No file was saved. ${readApiError(error).message}`);
    } finally {
      isRunning.current = false;
    }
  }
  return () => void save();
}
