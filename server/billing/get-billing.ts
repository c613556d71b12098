import { planLimits } from '@/server/plans/plans';
import { env } from '@/server/platform/env';
import { pendingInvitations } from '@/server/teams/invitations/pending-invitations';
import type { TeamContext } from '@/server/trpc/contexts';
import { type Billing, PaidPlan } from './schema';

/** Returns the team's plan, its limits and usage. Also available on an instance without billing. */
export async function getBilling({ ctx }: { ctx: TeamContext }): Promise<Billing> {
  const { id } = ctx.team;
  const team = await ctx.db.team.findUniqueOrThrow({
    where: { id },
    select: {
      plan: true,
      stripeCustomerId: true,
      stripeSubscriptionId: true,
      stripeStatus: true,
      _count: {
        select: {
          monitors: true,
          memberships: true,
          invitations: { where: pendingInvitations(id, new Date()) },
          statusPages: true,
          onCallSchedules: true,
          escalationPolicies: true,
          apiKeys: true,
        },
      },
    },
  });
  const { memberships, invitations, onCallSchedules: schedules, ...counts } = team._count;
  const available = env.stripe !== undefined;
  return {
    plan: team.plan,
    usage: { ...counts, schedules, members: memberships + invitations },
    limits: planLimits[team.plan],
    offers: available ? PaidPlan.options.map((plan) => ({ plan, limits: planLimits[plan] })) : [],
    subscriptionStatus: team.stripeStatus,
    subscribed: team.stripeSubscriptionId !== null,
    hasPortal: available && team.stripeCustomerId !== null,
  };
}
