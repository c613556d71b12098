import { z } from 'zod';

const Cap = z.int().nullable();

/** The limits of a plan; null means unlimited. */
export const Limits = z.object({
  monitors: Cap,
  minIntervalSeconds: z.int(),
  members: Cap,
  statusPages: Cap,
  pageComponents: Cap,
  schedules: Cap,
  escalationPolicies: Cap,
  apiKeys: Cap,
  historyDays: z.int(),
});

export type Limits = z.infer<typeof Limits>;

/** The plans that can be bought. */
export const PaidPlan = z.enum(['pro', 'business']);
export type PaidPlan = z.infer<typeof PaidPlan>;

/** The usage of a team. Members include pending invitations. */
export const Usage = z.object({
  monitors: z.int(),
  members: z.int(),
  statusPages: z.int(),
  schedules: z.int(),
  escalationPolicies: z.int(),
  apiKeys: z.int(),
});
export type Usage = z.infer<typeof Usage>;

export const Billing = z.object({
  plan: z.enum(['free', 'pro', 'business', 'self_hosted']),
  usage: Usage,
  limits: Limits,
  /** The plans that can be bought on this instance; none without Stripe. */
  offers: z.array(z.object({ plan: PaidPlan, limits: Limits })),
  /** The subscription's status at Stripe ("active", "past_due", …); null without one. */
  subscriptionStatus: z.string().nullable(),
  /** Whether the team has a subscription, which it changes in the portal instead of by another checkout. */
  subscribed: z.boolean(),
  /** Whether the billing portal is available. */
  hasPortal: z.boolean(),
});
export type Billing = z.infer<typeof Billing>;

export const CheckoutInput = z.strictObject({ plan: PaidPlan });
export type CheckoutInput = z.infer<typeof CheckoutInput>;

/** The URL to redirect the browser to. */
export const Redirect = z.object({ url: z.url() });
export type Redirect = z.infer<typeof Redirect>;
