'use client';

import { useMutation } from '@tanstack/react-query';
import { formatCount, formatInterval } from '@/app/_components/format';
import { Section } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { FieldError } from '@/app/_components/ui/field';
import { StatGrid } from '@/app/_components/ui/stat-grid';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Billing, Limits } from '@/server/billing/schema';
import { planWords } from './words';

const goTo = ({ url }: { url: string }) => window.location.assign(url);

const amount = (cap: number | null, what: string) => `${cap === null ? 'Unlimited' : formatCount(cap)} ${what}`;

function linesOf(limits: Limits): string[] {
  return [
    amount(limits.monitors, 'monitors'),
    `${formatInterval(limits.minIntervalSeconds)} minimum interval`,
    amount(limits.members, 'members'),
    amount(limits.statusPages, 'status pages'),
    amount(limits.pageComponents, 'components without a monitor per status page'),
    amount(limits.schedules, 'on-call schedules'),
    amount(limits.escalationPolicies, 'escalation policies'),
    amount(limits.apiKeys, 'API keys'),
    `${formatCount(limits.historyDays)} days of history`,
  ];
}

/** The plans on offer with a checkout button, or the billing portal for subscribers. */
export function PlanChoice({ billing, canManage }: { billing: Billing; canManage: boolean }) {
  const trpc = useTRPC();
  const buying = useMutation(trpc.billing.checkout.mutationOptions({ onSuccess: goTo }));
  const opening = useMutation(trpc.billing.portal.mutationOptions({ onSuccess: goTo }));
  const error = buying.error ?? opening.error;
  // Keeps the buttons busy while the browser navigates to Stripe.
  const isLeaving = buying.isPending || buying.isSuccess || opening.isPending || opening.isSuccess;
  return (
    <Section title="Plans" note="Prices are shown at checkout">
      {error ? (
        <div className="mb-3">
          <FieldError>{readApiError(error).message}</FieldError>
        </div>
      ) : null}
      <StatGrid as="ul" className="sm:grid-cols-2">
        {billing.offers.map(({ plan, limits }) => (
          <li key={plan} className="grid content-start gap-3">
            <h3 className="flex items-baseline gap-2 text-lead font-semibold">
              {planWords[plan]}
              {plan === billing.plan ? <span className="text-small font-normal text-muted">Your plan</span> : null}
            </h3>
            <ul className="text-muted">
              {linesOf(limits).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            {canManage && !billing.subscribed && plan !== billing.plan ? (
              <Button
                className="justify-self-start"
                busy={isLeaving && buying.variables?.plan === plan}
                onClick={() => !isLeaving && buying.mutate({ plan })}
              >
                Choose {planWords[plan]}
              </Button>
            ) : null}
          </li>
        ))}
      </StatGrid>
      {canManage && billing.hasPortal ? (
        <div className="mt-4 grid justify-items-start gap-2">
          <p className="text-muted">
            Use the billing portal to change plans, update payment methods, download invoices or cancel.
          </p>
          <Button
            variant={billing.subscribed ? 'primary' : 'plain'}
            busy={opening.isPending || opening.isSuccess}
            onClick={() => !isLeaving && opening.mutate()}
          >
            Open billing portal
          </Button>
        </div>
      ) : null}
      {canManage ? null : <p className="mt-3 text-muted">Only owners and admins can change the plan.</p>}
    </Section>
  );
}
