import { NoInput, operations, router, teamProcedure } from '@/server/trpc/procedures';
import { getBilling } from './get-billing';
import { openPortal } from './open-portal';
import { Billing, CheckoutInput, Redirect } from './schema';
import { startCheckout } from './start-checkout';

const rest = operations('Billing');
const manage = teamProcedure({ role: 'admin', scope: 'write' });

export const billingRouter = router({
  get: teamProcedure({ role: 'viewer', scope: 'read' })
    .meta(rest('GET', '/dashboard/billing', "Get the team's plan and usage", { alsoAt: '/api/v1/billing' }))
    .input(NoInput)
    .output(Billing)
    .query(({ ctx }) => getBilling({ ctx })),
  checkout: manage
    .meta(
      rest('POST', '/dashboard/billing/checkout', 'Start a checkout', {
        errors: ['NOT_FOUND', 'PAYMENT_PROVIDER_UNAVAILABLE'],
      }),
    )
    .input(CheckoutInput)
    .output(Redirect)
    .mutation(({ ctx, input }) => startCheckout({ ctx, input })),
  portal: manage
    .meta(
      rest('POST', '/dashboard/billing/portal', 'Open the billing portal', {
        errors: ['NOT_FOUND', 'PAYMENT_PROVIDER_UNAVAILABLE'],
      }),
    )
    .input(NoInput)
    .output(Redirect)
    .mutation(({ ctx }) => openPortal({ ctx })),
});
