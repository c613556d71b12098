import Stripe from 'stripe';
import { db, type Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { applyCustomer } from './apply-customer';
import { stripeClient, stripeSettings } from './stripe';

/** The events that say that a customer's plan may have changed. What it is now is read from Stripe. */
const RELEVANT = [
  'customer.subscription.',
  'customer.deleted',
  'checkout.session.completed',
  'invoice.paid',
  'invoice.payment_failed',
];

function readEvent(payload: Buffer, signature: string): Stripe.Event {
  const { webhookSecret } = stripeSettings();
  try {
    return stripeClient().webhooks.constructEvent(payload, signature, webhookSecret);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) {
      throw new AppError('VALIDATION_ERROR', 'The signature is missing, wrong or too old.');
    }
    throw new AppError('VALIDATION_ERROR', 'The body is not an event.', { cause: error });
  }
}

function customerOf(event: Stripe.Event): string | null {
  if (!RELEVANT.some((name) => event.type === name || (name.endsWith('.') && event.type.startsWith(name)))) return null;
  const object = event.data.object as { id?: string; customer?: string | { id: string } | null };
  if (event.type === 'customer.deleted') return object.id ?? null;
  return typeof object.customer === 'string' ? object.customer : (object.customer?.id ?? null);
}

/** Notes that an event was handled. False where it was before. */
async function claim(tx: Tx, { id, type }: Stripe.Event): Promise<boolean> {
  const { count } = await tx.stripeEvent.createMany({ data: [{ id, type }], skipDuplicates: true });
  return count === 1;
}

/**
 * Takes an event of Stripe's, whose signature (docs.stripe.com/webhooks/signature, five minutes of tolerance) is over the
 * body's bytes. The event only says whose state to read again; so a replayed, late or reordered one does no harm.
 *
 * @throws AppError VALIDATION_ERROR (signature), NOT_FOUND (no billing), PAYMENT_PROVIDER_UNAVAILABLE (Stripe sends it again)
 */
export async function handleStripeEvent(payload: Buffer, signature: string): Promise<void> {
  const event = readEvent(payload, signature);
  const customerId = customerOf(event);
  if (!customerId) return;
  if (await db.stripeEvent.findUnique({ where: { id: event.id } })) return;
  await applyCustomer(customerId, (tx) => claim(tx, event));
}
