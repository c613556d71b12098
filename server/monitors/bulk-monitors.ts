import type { BulkResult } from '@/server/lists/schema';
import { AppError } from '@/server/platform/errors';
import type { TeamContext } from '@/server/trpc/contexts';
import type { BulkMonitorsInput } from './schema';
import { changeMonitor } from './update-monitor';

/**
 * Pauses or resumes monitors, one transaction each, so that none waits for the locks of all. Changes those that can be changed; the others are
 * refused, each with its reason.
 * @returns one result per ID, in the order of the input
 */
export async function bulkMonitors({
  ctx,
  input: { action, ids },
}: {
  ctx: TeamContext;
  input: BulkMonitorsInput;
}): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (const id of ids) {
    try {
      const { isChanged } = await changeMonitor({ ctx, input: { id, isActive: action === 'resume' } });
      results.push({ id, outcome: isChanged ? 'done' : 'unchanged', error: null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ id, outcome: 'refused', error: { code: error.code, message: error.message } });
    }
  }
  return results;
}
