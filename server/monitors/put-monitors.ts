import type { PutMonitorsInput, PutResult } from '@/server/monitor-types/schema';
import { AppError } from '@/server/platform/errors';
import { takeLoopTurn } from '@/server/platform/loop-share';
import type { Call } from '@/server/trpc/contexts';
import { putMonitor } from './put-monitor';

/**
 * Creates or updates monitors by their externalIds, one after the other and each in its own transaction, so that a refused one does not affect the
 * others.
 * @returns one result per monitor, in the order of the input
 */
export async function putMonitors({ ctx, input }: Call<PutMonitorsInput>): Promise<PutResult[]> {
  const results: PutResult[] = [];
  for (const each of input.monitors) {
    await takeLoopTurn(ctx.team.id);
    const { externalId } = each;
    try {
      const { monitor, created } = await putMonitor({ ctx, input: each });
      results.push({ externalId, id: monitor.id, outcome: created ? 'created' : 'updated', error: null });
    } catch (error) {
      // An error of the server or the credential concerns all monitors.
      if (!(error instanceof AppError) || ['UNAVAILABLE', 'INTERNAL', 'UNAUTHENTICATED'].includes(error.code))
        throw error;
      const { code, message, issues = [] } = error;
      results.push({ externalId, id: null, outcome: 'refused', error: { code, message, issues } });
    }
  }
  return results;
}
