import { NoInput, router, teamProcedure } from '@/server/trpc/procedures';
import { getBilling } from './get-billing';
import { openPortal } from './open-portal';
import { Billing, CheckoutInput, Redirect } from './schema';
import { startCheckout } from './start-checkout';

const tags = ['Billing'];
const manage = teamProcedure({ role: 'admin', scope: 'write' });

export const billingRouter = router({
  get: teamProcedure({ role: 'viewer', scope: 'read' })
    .meta({ openapi: { method: 'GET', path: '/dashboard/billing', tags, summary: "Get the team's plan and usage" } })
    .input(NoInput)
    .output(Billing)
    .query(({ ctx }) => getBilling({ ctx })),
  checkout: manage
    .meta({
      errors: ['NOT_FOUND', 'PAYMENT_PROVIDER_UNAVAILABLE'],
      openapi: { method: 'POST', path: '/dashboard/billing/checkout', tags, summary: 'Start a checkout' },
    })
    .input(CheckoutInput)
    .output(Redirect)
    .mutation(({ ctx, input }) => startCheckout({ ctx, input })),
  portal: manage
    .meta({
      errors: ['NOT_FOUND', 'PAYMENT_PROVIDER_UNAVAILABLE'],
      openapi: { method: 'POST', path: '/dashboard/billing/portal', tags, summary: 'Open the billing portal' },
    })
    .input(NoInput)
    .output(Redirect)
    .mutation(({ ctx }) => openPortal({ ctx })),
});
