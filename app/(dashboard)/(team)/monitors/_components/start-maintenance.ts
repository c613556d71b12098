import type { BulkOutcome } from '@/app/_components/selection/act-in-bulk';
import { readApiError } from '@/app/_trpc/errors';

interface Started<Row> extends BulkOutcome<Row> {
  windowId: string | null;
}

/**
 * Starts one maintenance window for all these monitors. Reports deleted monitors as refused and starts the window without them.
 * @param start starts a window for exactly these monitors
 * @returns the outcome for each monitor, and the ID of the window if it started
 */
export async function startMaintenanceOfAll<Row>(
  rows: readonly Row[],
  start: (rows: readonly Row[]) => Promise<{ maintenanceWindow: { id: string } }>,
): Promise<Started<Row>> {
  try {
    const { maintenanceWindow } = await start(rows);
    return { done: [...rows], unchanged: [], refused: [], windowId: maintenanceWindow.id };
  } catch (error) {
    const { message, issues = [] } = readApiError(error);
    const gone = new Set(issues.flatMap(({ path }) => /^monitorIds\.(\d+)$/.exec(path)?.[1] ?? []).map(Number));
    const isGone = (_row: Row, index: number) => gone.size === 0 || gone.has(index);
    const refused = rows.filter(isGone).map((row) => ({ row, message, canRetry: gone.size === 0 }));
    const left = rows.filter((row, index) => !isGone(row, index));
    if (left.length === 0) return { done: [], unchanged: [], refused, windowId: null };
    const rest = await startMaintenanceOfAll(left, start);
    return { ...rest, refused: [...refused, ...rest.refused] };
  }
}
