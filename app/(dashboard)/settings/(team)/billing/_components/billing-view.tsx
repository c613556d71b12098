'use client';

import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { FailedQuery } from '@/app/_components/failed-query';
import { Section } from '@/app/_components/page';
import { Alert } from '@/app/_components/ui/alert';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import type { Billing } from '@/server/billing/schema';
import { PlanChoice } from './plan-choice';
import { UsageStats } from './usage-stats';
import { overPlan, planWords } from './words';

const POLL_MS = 2_000;

export interface BillingViewProps {
  initial: Billing | undefined;
  /** Whether the user can change the plan. */
  canManage: boolean;
}

/** The team's plan and usage, and the plans on offer if billing is configured. */
export function BillingView({ initial, canManage }: BillingViewProps) {
  const trpc = useTRPC();
  const checkout = useSearchParams().get('checkout');
  const query = useQuery(
    trpc.billing.get.queryOptions(undefined, {
      ...(initial && { initialData: initial }),
      // Stripe may redirect back before its webhook confirms the payment.
      refetchInterval: ({ state }) => (checkout === 'done' && !state.data?.subscribed ? POLL_MS : false),
    }),
  );
  if (query.isPending) return <RowsLoading label="Loading plan and usage" rows={4} />;
  if (query.isError && !query.data) {
    return (
      <FailedQuery query={query} title="Could not load plan and usage">
        Monitoring is not affected.
      </FailedQuery>
    );
  }
  const billing = query.data;
  return (
    <>
      <PlanNotices billing={billing} checkout={checkout} />
      <Section title={`${planWords[billing.plan]} plan`}>
        <UsageStats billing={billing} />
      </Section>
      {billing.offers.length > 0 ? <PlanChoice billing={billing} canManage={canManage} /> : null}
    </>
  );
}

/** Notices about the plan. */
function PlanNotices({ billing, checkout }: { billing: Billing; checkout: string | null }) {
  const over = overPlan(billing.usage, billing.limits);
  const sells = billing.offers.length > 0;
  return (
    <div className="mb-5 grid gap-3 empty:hidden">
      {sells && checkout === 'done' && !billing.subscribed ? (
        <Alert state="pending" title="Waiting for Stripe to confirm the payment" role="status">
          This takes a few seconds. The plan updates automatically; you can leave this page.
        </Alert>
      ) : null}
      {sells && checkout === 'done' && billing.subscribed ? (
        <Alert state="up" title={`This team is on the ${planWords[billing.plan]} plan`} role="status" />
      ) : null}
      {billing.subscriptionStatus === 'past_due' ? (
        <Alert state="degraded" title="The last payment failed">
          Stripe will retry the payment. Check your payment method in the billing portal; if the payment keeps failing,
          the plan is cancelled.
        </Alert>
      ) : null}
      {over.length > 0 ? (
        <Alert state="degraded" title="This team exceeds the limits of its plan">
          Everything keeps working, but nothing can be added ({over.join(', ')}).
        </Alert>
      ) : null}
    </div>
  );
}
