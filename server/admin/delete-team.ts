import { recordAudit } from '@/server/audit/record-audit';
import { evidenceFolder } from '@/server/incidents/evidence/evidence-key';
import { commitBefore } from '@/server/platform/database/held-transaction';
import type { Tx } from '@/server/platform/db';
import { AppError, invalidField } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { lockTeam } from '@/server/platform/locks';
import { pageFolder } from '@/server/status-pages/logo-key';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { rateLimitKey } from '@/server/trpc/rate-limit';
import type { CleanUp } from './clean-up';
import { doSteps, firstOutcomes, queueSteps, restOf } from './clean-up-steps';
import { deleteTeams } from './delete-rows';
import { readTeam, teamsWithEvidence } from './removal';
import type { DeleteTeamInput } from './schema';

/** The timeout of the transaction, because a team may have thousands of monitors. */
const TRANSACTION_MS = 120_000;

/** Returns the steps that delete the team's data outside of the database. */
async function planSteps(tx: Tx, entryId: string, teamId: string, customerId: string | null): Promise<CleanUp[]> {
  const pages = await tx.statusPage.findMany({ where: { teamId }, select: { id: true } });
  const apiKeys = await tx.apiKey.findMany({ where: { teamId }, select: { id: true } });
  const steps: CleanUp[] = [];
  if (apiKeys.length > 0) {
    const keys = apiKeys.map(({ id }) => rateLimitKey('key', id));
    steps.push({ step: 'keyValue', entryId, keys, prefixes: [] });
  }
  if (customerId) steps.push({ step: 'stripe', entryId, customerIds: [customerId] });
  const evidence = await teamsWithEvidence(tx, [teamId]);
  const prefixes = [...pages.map(({ id }) => pageFolder(id)), ...evidence.map(({ id }) => evidenceFolder(id))];
  if (prefixes.length > 0) steps.push({ step: 'objects', entryId, prefixes });
  return steps;
}

/** Deletes the team's rows, in one transaction with the audit entry and the jobs for the rest. */
async function removeRows(
  ctx: TeamContext,
  { teamId, name: typed }: DeleteTeamInput,
): Promise<{ name: string; steps: CleanUp[] }> {
  // A successful first attempt moves the session to another team, possibly with the same name: a retry must not delete that one.
  if (teamId !== ctx.team.id) throw new AppError('NOT_FOUND', 'You are not in this team.');
  return ctx.db.$transaction(
    async (tx) => {
      await lockTeam(tx, teamId);
      const team = await readTeam(tx, teamId);
      // The role was read before the lock. A caller who is no longer an owner, or whose concurrent request came second, gets NOT_FOUND.
      const owner = await tx.membership.findFirst({ where: { teamId, userId: ctx.user.id, role: 'owner' } });
      if (!team || !owner) throw new AppError('FORBIDDEN', 'Only owners can delete the team.');
      if (typed.trim() !== team.name) throw invalidField('name', `Type ${team.name} to confirm.`);
      const { customerId, ...removed } = team;
      const entryId = newId();
      const steps = await planSteps(tx, entryId, teamId, customerId);
      await deleteTeams(tx, [teamId]);
      await recordAudit(tx, ctx, {
        id: entryId,
        teamId: null,
        action: 'team.delete',
        target: { type: 'team', id: teamId, name: team.name },
        after: { removed, steps: firstOutcomes(steps) },
      });
      await queueSteps(tx, steps);
      return { name: team.name, steps };
    },
    { timeout: TRANSACTION_MS },
  );
}

/**
 * Deletes the caller's team at once: members, monitors, channels, status pages, keys and all other settings. Its data cannot be read after that. The
 * job `remove-deleted` removes the history: results, spans, incidents, deliveries and the audit log. External steps, such as cancelling the Stripe
 * subscription, are completed before the response or by retried jobs. Accounts are kept.
 * @throws AppError NOT_FOUND (`teamId` is not the caller's current team), VALIDATION_ERROR at `name` (not the team's name), FORBIDDEN
 */
export async function deleteTeam({ ctx, input }: Call<DeleteTeamInput>): Promise<{ message: string }> {
  const { name, steps } = await removeRows(ctx, input);
  await commitBefore({ message: `${name} deleted.${restOf(steps)}` });
  return { message: `${name} deleted.${restOf(await doSteps(steps))}` };
}
