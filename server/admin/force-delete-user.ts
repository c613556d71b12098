import { recordAudit } from '@/server/audit/record-audit';
import { evidenceFolder } from '@/server/incidents/evidence/evidence-key';
import { commitBefore } from '@/server/platform/database/held-transaction';
import { db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { pageFolder } from '@/server/status-pages/logo-key';
import { snapshotKey } from '@/server/status-pages/snapshots/shared-snapshots';
import { revokeUnentitled } from '@/server/teams/revoke-unentitled';
import type { PersonContext } from '@/server/trpc/contexts';
import { rateLimitKey } from '@/server/trpc/rate-limit';
import { throttlePrefix } from '@/server/trpc/throttle';
import type { CleanUp } from './clean-up';
import { doSteps, firstOutcomes, queueSteps, restOf } from './clean-up-steps';
import { deleteRows, lockRemoval } from './delete-rows';
import { type PlannedRemoval, planRemoval, refusalOf } from './removal';
import { type Left, removeLeft } from './remove-rows';
import type { ForceDeleteInput } from './schema';

/** The timeout of the transaction, because teams may have thousands of monitors. */
const TRANSACTION_MS = 120_000;
/** How long the response waits for the removal of the history; a job removes what is left. */
const HISTORY_MS = 120_000;
const TRIES = 5;

/** Returns the steps that delete the user's data outside of the database. */
function planSteps(entryId: string, { removal, ...outside }: PlannedRemoval): CleanUp[] {
  const { customerIds, statusPages, apiKeyIds, evidenceOf } = outside;
  const { id, email } = removal.user;
  const own = [rateLimitKey('user', id), rateLimitKey('reads', id)];
  const keys = [
    ...own,
    ...apiKeyIds.map((keyId) => rateLimitKey('key', keyId)),
    ...statusPages.map(({ slug }) => snapshotKey(slug)),
  ];
  const steps: CleanUp[] = [{ step: 'keyValue', entryId, keys, prefixes: [throttlePrefix(email)] }];
  if (customerIds.length > 0) steps.push({ step: 'stripe', entryId, customerIds });
  const prefixes = [...statusPages.map(({ id: pageId }) => pageFolder(pageId)), ...evidenceOf.map(evidenceFolder)];
  if (prefixes.length > 0) steps.push({ step: 'objects', entryId, prefixes });
  return steps;
}

/**
 * Removes the rows, in one transaction with the audit entry and the jobs for the rest. Null if the user joined a team before the locks were taken.
 */
async function removeRows(
  ctx: PersonContext | 'system',
  { userId, reason }: ForceDeleteInput,
): Promise<{ planned: PlannedRemoval; steps: CleanUp[]; left: Left } | null> {
  return (ctx === 'system' ? db : ctx.db).$transaction(
    async (tx) => {
      if (!(await lockRemoval(tx, userId))) return null;
      const planned = await planRemoval(tx, userId);
      const { removal } = planned;
      const refusal = await refusalOf(tx, removal);
      if (refusal) throw new AppError('LAST_ADMINISTRATOR', refusal);
      for (const { id: teamId } of removal.memberships) await revokeUnentitled(tx, ctx, { teamId, userId, left: null });
      const left = await deleteRows(tx, removal);
      for (const { id: teamId, role } of removal.memberships) {
        const target = { type: 'member', id: userId, name: removal.user.email };
        await recordAudit(tx, ctx, { teamId, action: 'member.remove', target, before: { role } });
      }
      const entryId = newId();
      const steps = planSteps(entryId, planned);
      await recordAudit(tx, ctx, {
        id: entryId,
        teamId: null,
        action: 'user.force_delete',
        target: { type: 'user', id: userId, name: removal.user.email },
        reason,
        after: { removed: removal, steps: firstOutcomes(steps) },
      });
      await queueSteps(tx, steps);
      return { planned, steps, left };
    },
    { timeout: TRANSACTION_MS },
  );
}

/** Deletes the history for up to 2 min. Returns whether some is left for the job. */
async function removeHistory(left: Left): Promise<boolean> {
  try {
    return !(await removeLeft(left, AbortSignal.timeout(HISTORY_MS)));
  } catch (error) {
    log.warn({ err: error }, 'The history of a deleted account could not be removed yet');
    return true;
  }
}

function toAnswer(
  { removal: { user, teams } }: PlannedRemoval,
  ...left: Parameters<typeof restOf>
): { message: string } {
  const what = teams.length === 0 ? '' : ` and ${teams.length === 1 ? 'one team' : `${teams.length} teams`}`;
  return { message: `${user.email}${what} deleted.${restOf(...left)}` };
}

/**
 * Deletes an account at once: the account, every team that it solely owns with its data, and its memberships and keys in other teams. None of it can
 * be read after the first transaction. The history is removed in slices before the response; after 2 min the job `remove-deleted` continues. External
 * steps (Stripe, key-value, objects) are completed within 5 s before the response, or by retried jobs; the audit entry shows each step.
 * @throws AppError NOT_FOUND, LAST_ADMINISTRATOR
 */
export async function forceDeleteUser({
  ctx,
  input,
}: {
  ctx: PersonContext | 'system';
  input: ForceDeleteInput;
}): Promise<{ message: string }> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const removed = await removeRows(ctx, input);
    if (!removed) continue;
    const { planned, steps, left } = removed;
    await commitBefore(toAnswer(planned, steps, true));
    const [isLeft, leftSteps] = await Promise.all([removeHistory(left), doSteps(steps)]);
    return toAnswer(planned, leftSteps, isLeft);
  }
  throw new Error('The teams of this user changed repeatedly. Try again.');
}
