import { z } from 'zod';
import { db, type Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { applyCustomer } from './apply-customer';
import { isStripeError, stripeClient, stripeSettings } from './stripe';

/** The events after which a customer's plan may have changed. */
const RELEVANT = [
  'customer.subscription.',
  'customer.deleted',
  'checkout.session.completed',
  'invoice.paid',
  'invoice.payment_failed',
];

const Id = z.string().regex(/^[\w-]{1,255}$/);

/** The fields of an event that are used. */
const Event = z.object({
  id: Id,
  type: z.string().regex(/^[\w.]{1,255}$/),
  data: z.object({ object: z.looseObject({}) }),
});
type Event = z.infer<typeof Event>;

/** A customer ID, or the expanded customer. */
const CustomerId = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]);

async function readEvent(payload: Buffer, signature: string): Promise<Event> {
  const { webhookSecret } = stripeSettings();
  const { webhooks } = await stripeClient();
  try {
    return Event.parse(webhooks.constructEvent(payload, signature, webhookSecret));
  } catch (error) {
    if (isStripeError(error, 'StripeSignatureVerificationError')) {
      throw new AppError('VALIDATION_ERROR', 'The signature is missing, wrong or too old.');
    }
    throw new AppError('VALIDATION_ERROR', 'The body is not an event.', { cause: error });
  }
}

function customerOf({ type, data: { object } }: Event): string | null {
  if (!RELEVANT.some((name) => type === name || (name.endsWith('.') && type.startsWith(name)))) return null;
  return CustomerId.safeParse(type === 'customer.deleted' ? object.id : object.customer).data ?? null;
}

/** Records that an event was handled. Returns false if it was handled before. */
async function claim(tx: Tx, { id, type }: Event): Promise<boolean> {
  const { count } = await tx.stripeEvent.createMany({ data: [{ id, type }], skipDuplicates: true });
  return count === 1;
}

/**
 * Handles a Stripe event. Verifies its signature over the raw body (docs.stripe.com/webhooks/signature, 5 min of tolerance). An event only says which
 * customer to read again, so replayed, late and reordered events are harmless.
 * @throws AppError VALIDATION_ERROR (signature), NOT_FOUND (no billing), PAYMENT_PROVIDER_UNAVAILABLE (Stripe sends it again)
 */
export async function handleStripeEvent(payload: Buffer, signature: string): Promise<void> {
  const event = await readEvent(payload, signature);
  const customerId = customerOf(event);
  if (!customerId) return;
  if (await db.stripeEvent.findUnique({ where: { id: event.id } })) return;
  await applyCustomer(customerId, (tx) => claim(tx, event));
}
