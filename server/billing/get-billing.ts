import type { TeamContext } from '@/server/auth/contexts';
import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { planLimits } from './plans';
import { type Billing, PaidPlan, type Usage } from './schema';

async function readUsage(db: Db, teamId: string): Promise<Usage> {
  const rows = await db.$queryRaw<Usage[]>`
    select (select count(*)::int from monitors where team_id = ${teamId}) as monitors,
      (select count(*)::int from memberships where team_id = ${teamId})
        + (select count(*)::int from invitations
           where team_id = ${teamId} and used_at is null and revoked_at is null and expires_at > now()) as members,
      (select count(*)::int from status_pages where team_id = ${teamId}) as "statusPages",
      (select count(*)::int from api_keys where team_id = ${teamId}) as "apiKeys"`;
  return rows[0] ?? { monitors: 0, members: 0, statusPages: 0, apiKeys: 0 };
}

/** The team's plan, what it allows and what of that is used. Answers where nothing is sold, too. */
export async function getBilling({ ctx }: { ctx: TeamContext }): Promise<Billing> {
  const { id } = ctx.team;
  const [usage, team] = await Promise.all([
    readUsage(ctx.db, id),
    ctx.db.team.findUniqueOrThrow({
      where: { id },
      select: { plan: true, stripeCustomerId: true, stripeSubscriptionId: true, stripeStatus: true },
    }),
  ]);
  const available = env.stripe !== undefined;
  return {
    plan: team.plan,
    usage,
    limits: planLimits[team.plan],
    offers: available ? PaidPlan.options.map((plan) => ({ plan, limits: planLimits[plan] })) : [],
    subscriptionStatus: team.stripeStatus,
    subscribed: team.stripeSubscriptionId !== null,
    hasPortal: available && team.stripeCustomerId !== null,
  };
}
