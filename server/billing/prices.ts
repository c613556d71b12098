import type { Plan } from '@/server/platform/generated/prisma/enums';
import type { PaidPlan } from './schema';
import { stripeSettings } from './stripe';

/** Returns the ID of a plan's price at Stripe. */
export function priceOf(plan: PaidPlan): string {
  const { pricePro, priceBusiness } = stripeSettings();
  return plan === 'pro' ? pricePro : priceBusiness;
}

/** Returns the plan of a price; null for a price that this instance does not offer. */
export function planOf(price: string): Extract<Plan, PaidPlan> | null {
  const { pricePro, priceBusiness } = stripeSettings();
  if (price === priceBusiness) return 'business';
  return price === pricePro ? 'pro' : null;
}
