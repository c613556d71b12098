import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { auditPolicy } from './audit-on-call';
import { readStoredPolicy } from './policy-queries';

/**
 * Deletes an escalation policy. Running escalations continue, because somebody still has to answer.
 * @throws AppError NOT_FOUND
 */
export async function deletePolicy({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const { team } = ctx;
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    const before = await readStoredPolicy(tx, team.id, id);
    await tx.escalationPolicy.delete({ where: { id } });
    await auditPolicy(tx, ctx, 'escalation_policy.delete', before, null);
    await notify(tx, { team: team.id, kind: 'on-call', ids: [id] });
  });
  return { ok: true };
}
