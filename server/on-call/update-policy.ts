import { assertReadOnly } from '@/server/audit/assert-read-only';
import { assertUnchanged, nextVersion } from '@/server/audit/assert-unchanged';
import { changesNothing } from '@/server/audit/changes-nothing';
import { settingExternalId } from '@/server/external-ids/setting-external-id';
import type { Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import { mergeScope } from '@/server/scopes/merge-scope';
import type { Call } from '@/server/trpc/contexts';
import { auditPolicy } from './audit-on-call';
import { readStoredPolicy, withWarningsOnceSaved } from './policy-queries';
import type { EscalationPolicy, UpdatePolicyInput } from './schema';
import { assertTargets, setPolicyScope } from './set-policy-scope';

/**
 * Updates an escalation policy; writes nothing if nothing changes. Running escalations continue with the policy as it was when they started.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT, VALIDATION_ERROR (a target or monitor of another team)
 */
export async function updatePolicy({ ctx, input }: Call<UpdatePolicyInput>): Promise<EscalationPolicy> {
  const { team } = ctx;
  const { id, name, steps, repeat, minSeverity, externalId, ifUpdatedAt } = input;
  const update = async (tx: Tx) => {
    // Locks the team, so that the second of two edits sees the version of the first.
    await lockTeam(tx, team.id);
    const before = await readStoredPolicy(tx, team.id, id);
    const updatedAt = new Date(before.updatedAt);
    await assertUnchanged(tx, { teamId: team.id, id, updatedAt }, ifUpdatedAt);
    assertReadOnly(input, before);
    const scope = mergeScope(before, input);
    const fields = { name, steps, repeat, minSeverity, externalId };
    if (changesNothing(before, { ...scope, ...fields })) return before;
    if (steps) await assertTargets(tx, team.id, steps, before.steps);
    await tx.escalationPolicy.update({
      where: { id },
      data: {
        updatedAt: nextVersion(updatedAt),
        ...(name !== undefined && { name }),
        ...(steps && { steps }),
        ...(repeat !== undefined && { repeat }),
        ...(minSeverity !== undefined && { minSeverity }),
        ...(externalId !== undefined && { externalId }),
      },
    });
    if (!changesNothing(before, scope)) await setPolicyScope(tx, team.id, id, scope);
    const after = await readStoredPolicy(tx, team.id, id);
    await auditPolicy(tx, ctx, 'escalation_policy.update', before, after);
    await notify(tx, { team: team.id, kind: 'on-call', ids: [id] });
    return after;
  };
  const policy = await settingExternalId('escalation policy', () => ctx.db.$transaction(update));
  return withWarningsOnceSaved(ctx, policy);
}
