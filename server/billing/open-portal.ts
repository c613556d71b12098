import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import type { TeamContext } from '@/server/trpc/contexts';
import type { Redirect } from './schema';
import { billingPage } from './start-checkout';
import { askStripe, stripeSettings } from './stripe';

/**
 * Creates a session of Stripe's billing portal, for subscription, payment methods and invoices.
 * @returns the URL to redirect the browser to
 * @throws AppError NOT_FOUND (no billing, or no customer), PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function openPortal({ ctx }: { ctx: TeamContext }): Promise<Redirect> {
  stripeSettings();
  const { team } = ctx;
  const { stripeCustomerId: customer } = await ctx.db.team.findUniqueOrThrow({
    where: { id: team.id },
    select: { stripeCustomerId: true },
  });
  if (!customer) throw new AppError('NOT_FOUND', 'This team has no subscription. Choose a plan first.');
  const { url } = await askStripe((stripe) =>
    stripe.billingPortal.sessions.create(
      { customer, return_url: billingPage() },
      { idempotencyKey: `upwatch-portal-${ctx.requestId}` },
    ),
  );
  await ctx.db.$transaction((tx) =>
    recordAudit(tx, ctx, {
      teamId: team.id,
      action: 'billing.portal',
      target: { type: 'team', id: team.id, name: team.name },
    }),
  );
  return { url };
}
