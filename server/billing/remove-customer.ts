import { z } from 'zod';
import { defineJob } from '@/server/platform/jobs';
import { isMissing, stripeClient } from './stripe';

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

/** Cancels a customer's subscriptions at once and deletes the customer. Idempotent: missing objects are ignored. */
export async function removeCustomer(customerId: string): Promise<void> {
  const { customers, subscriptions } = await stripeClient();
  const customer = await unlessMissing(customers.retrieve(customerId, { expand: ['subscriptions'] }));
  if (!customer || customer.deleted) return;
  for (const { id } of customer.subscriptions?.data ?? []) await unlessMissing(subscriptions.cancel(id));
  await unlessMissing(customers.del(customerId));
}

/** Removes a customer at Stripe whose team does not exist. */
export const removeCustomerJob = defineJob({
  name: 'remove-stripe-customer',
  schema: z.object({ customerId: z.string().min(1) }),
  run: ({ customerId }) => removeCustomer(customerId),
});
