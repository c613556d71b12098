import type { BulkResult } from '@/server/lists/schema';
import { heldTransaction } from '@/server/platform/database/held-transaction';
import { AppError } from '@/server/platform/errors';
import { lockMonitorsAndIncidents, shareTeam } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import type { BulkMonitorsInput } from './schema';
import { changeMonitor } from './update-monitor';

/** In a held transaction, which a request with an idempotency key has, the locks of all are kept: they are taken in order first. */
async function lockInOrder({ db, team }: TeamContext, ids: string[]): Promise<void> {
  if (!heldTransaction()) return;
  await db.$transaction(async (tx) => {
    await shareTeam(tx, team.id);
    await lockMonitorsAndIncidents(tx, team.id, ids);
  });
}

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
  await lockInOrder(ctx, ids);
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
