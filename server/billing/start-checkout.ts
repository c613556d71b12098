import { recordAudit } from '@/server/audit/record-audit';
import { env } from '@/server/platform/env';
import { invalidField } from '@/server/platform/errors';
import type { Call } from '@/server/trpc/contexts';
import { ensureCustomer } from './ensure-customer';
import { priceOf } from './prices';
import type { CheckoutInput, Redirect } from './schema';
import { askStripe } from './stripe';

/** Returns the URL of the dashboard's billing page, to which Stripe redirects back. */
export const billingPage = () => `${env.appUrl}/settings/billing`;

/**
 * Creates a Stripe checkout session for a plan. The plan changes with the event that confirms the payment.
 * @throws AppError VALIDATION_ERROR (already subscribed; use the portal), PAYMENT_PROVIDER_UNAVAILABLE, NOT_FOUND (no billing)
 */
export async function startCheckout({ ctx, input: { plan } }: Call<CheckoutInput>): Promise<Redirect> {
  const { team } = ctx;
  const price = priceOf(plan);
  const { stripeSubscriptionId } = await ctx.db.team.findUniqueOrThrow({
    where: { id: team.id },
    select: { stripeSubscriptionId: true },
  });
  if (stripeSubscriptionId) {
    throw invalidField('plan', 'This team already has a subscription. Manage it in the billing portal.');
  }
  const customer = await ensureCustomer({ ctx });
  const metadata = { teamId: team.id };
  const session = await askStripe((stripe) =>
    stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer,
        client_reference_id: team.id,
        line_items: [{ price, quantity: 1 }],
        metadata,
        subscription_data: { metadata },
        success_url: `${billingPage()}?checkout=done`,
        cancel_url: `${billingPage()}?checkout=cancelled`,
      },
      { idempotencyKey: `upwatch-checkout-${ctx.requestId}` },
    ),
  );
  if (!session.url) throw new Error('Stripe gave a checkout without an address.');
  await ctx.db.$transaction((tx) =>
    recordAudit(tx, ctx, {
      teamId: team.id,
      action: 'billing.checkout',
      target: { type: 'team', id: team.id, name: team.name },
      after: { plan },
    }),
  );
  return { url: session.url };
}
