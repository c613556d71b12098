import type { OperationDoc } from '@/server/trpc/operation-doc';

const pro = {
  monitors: 200,
  minIntervalSeconds: 30,
  members: 15,
  statusPages: 10,
  apiKeys: 20,
  historyDays: 180,
  schedules: 10,
  escalationPolicies: 10,
  pageComponents: 50,
};

export const billingDocs: Record<string, OperationDoc> = {
  'billing.get': {
    id: 'getBilling',
    alsoId: 'getTeamBilling',
    description: 'Returns the plan, its limits and current usage. A limit of null means unlimited.',
    answer: {
      plan: 'pro',
      usage: { monitors: 12, members: 3, statusPages: 1, apiKeys: 2, schedules: 1, escalationPolicies: 1 },
      limits: pro,
      offers: [{ plan: 'pro', limits: pro }],
      subscriptionStatus: 'active',
      subscribed: true,
      hasPortal: true,
    },
  },
  'billing.checkout': {
    id: 'startCheckout',
    description: 'Returns the URL of a checkout session to redirect the browser to.',
    body: { plan: 'pro' },
    answer: { url: 'https://checkout.stripe.com/c/pay/cs_test_a1b2c3' },
  },
  'billing.portal': {
    id: 'openBillingPortal',
    description: 'Returns the URL of the billing portal, where the subscription can be changed or cancelled.',
    answer: { url: 'https://billing.stripe.com/p/session/bps_1a2b3c' },
  },
};
