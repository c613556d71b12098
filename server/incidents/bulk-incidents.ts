import type { BulkResult } from '@/server/lists/schema';
import type { ErrorCode } from '@/server/platform/errors';
import type { Call } from '@/server/trpc/contexts';
import { type ActedOn, acknowledgeAll } from './acknowledgments/acknowledge-incident';
import { inParts } from './in-parts';
import { resolveAll } from './resolve-incident';
import type { BulkIncidentsInput } from './schema';

function refused(id: string, code: ErrorCode, message: string): BulkResult {
  return { id, outcome: 'refused', error: { code, message } };
}

function resultOf(id: string, found: ActedOn | undefined, action: BulkIncidentsInput['action']): BulkResult {
  if (!found) return refused(id, 'NOT_FOUND', 'There is no such incident.');
  if (found.isChanged) return { id, outcome: 'done', error: null };
  const isDone = found.row.status === (action === 'acknowledge' ? 'acknowledged' : 'resolved');
  if (isDone) return { id, outcome: 'unchanged', error: null };
  return refused(id, 'VALIDATION_ERROR', 'The incident is already resolved.');
}

/**
 * Acknowledges or resolves incidents in several transactions. An incident that cannot be changed gets the outcome `refused` with the reason, and does
 * not affect the others. Idempotent: a second call continues an interrupted one.
 * @returns one result per ID, in the order of the input
 */
export async function bulkIncidents({ ctx, input: { action, ids } }: Call<BulkIncidentsInput>): Promise<BulkResult[]> {
  const { team, user } = ctx;
  const act = action === 'acknowledge' ? acknowledgeAll : resolveAll;
  const by = { teamId: team.id, authorName: user.name ?? user.email };
  const acted = await inParts({ db: ctx.db, teamId: team.id, items: ids }, (tx, part) =>
    act(tx, ctx, { ...by, ids: part }),
  );
  const byId = new Map(acted.map((each) => [each.row.id, each]));
  return ids.map((id) => resultOf(id, byId.get(id), action));
}
