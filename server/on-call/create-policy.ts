import { settingExternalId } from '@/server/external-ids/setting-external-id';
import { planLimits } from '@/server/plans/plans';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { auditPolicy } from './audit-on-call';
import { readStoredPolicy, withWarningsOnceSaved } from './policy-queries';
import type { CreatePolicyInput, EscalationPolicy } from './schema';
import { assertTargets, setPolicyScope } from './set-policy-scope';

/** The maximum per team on every plan, because each policy is compared with every incident that opens. */
const MOST_POLICIES = 200;

/**
 * Creates an escalation policy, which applies to incidents that open from now on.
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR (a target or monitor of another team)
 */
export async function createPolicy({ ctx, input }: Call<CreatePolicyInput>): Promise<EscalationPolicy> {
  const { team } = ctx;
  const { name, steps, repeat = 0, monitorIds = null, tags = [], minSeverity = 'minor', externalId = null } = input;
  const id = newId();
  const create = async (tx: Tx) => {
    await lockTeam(tx, team.id);
    const cap = planLimits[team.plan].escalationPolicies;
    const count = await tx.escalationPolicy.count({ where: { teamId: team.id } });
    if (cap !== null && count >= cap) {
      const amount = cap === 1 ? 'one escalation policy' : `${cap} escalation policies`;
      throw new AppError('PLAN_LIMIT_REACHED', `The ${team.plan} plan allows ${amount}.`);
    }
    if (count >= MOST_POLICIES) {
      throw new AppError('PLAN_LIMIT_REACHED', `A team can have at most ${MOST_POLICIES} escalation policies.`);
    }
    await assertTargets(tx, team.id, steps);
    await tx.escalationPolicy.create({ data: { id, teamId: team.id, name, steps, repeat, minSeverity, externalId } });
    await setPolicyScope(tx, team.id, id, { monitorIds, tags });
    const policy = await readStoredPolicy(tx, team.id, id);
    await auditPolicy(tx, ctx, 'escalation_policy.create', null, policy);
    await notify(tx, { team: team.id, kind: 'on-call', ids: [id] });
    return policy;
  };
  const policy = await settingExternalId('escalation policy', () => ctx.db.$transaction(create));
  return withWarningsOnceSaved(ctx, policy);
}
