import { AppError } from '@/server/platform/errors';
import { enqueue } from '@/server/platform/jobs';
import type { TeamContext } from '@/server/trpc/contexts';
import { removeCustomerJob } from './remove-customer';
import { askStripe } from './stripe';

/**
 * Returns the ID of the team's customer at Stripe, created on first use. Concurrent calls get the same customer, because they send the same
 * idempotency key and body. Therefore the body contains nothing about the caller.
 * @throws AppError PAYMENT_PROVIDER_UNAVAILABLE, NOT_FOUND (no billing, or the team is deleted)
 */
export async function ensureCustomer({ ctx }: { ctx: TeamContext }): Promise<string> {
  const where = { id: ctx.team.id };
  const read = () => ctx.db.team.findUnique({ where, select: { stripeCustomerId: true, billingRevision: true } });
  const team = await read();
  if (team?.stripeCustomerId) return team.stripeCustomerId;
  const idempotencyKey = `upwatch-customer-${where.id}-${team?.billingRevision ?? 0}`;
  const metadata = { teamId: where.id };
  const { id } = await askStripe((stripe) => stripe.customers.create({ metadata }, { idempotencyKey }));
  const { count } = await ctx.db.team.updateMany({
    where: { ...where, stripeCustomerId: null },
    data: { stripeCustomerId: id },
  });
  if (count === 1) return id;
  const kept = (await read())?.stripeCustomerId;
  if (kept !== id) await enqueue(ctx.db, removeCustomerJob, { customerId: id });
  if (!kept) throw new AppError('NOT_FOUND', 'This team has been deleted.');
  return kept;
}
