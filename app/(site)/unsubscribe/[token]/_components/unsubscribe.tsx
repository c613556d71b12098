'use client';

import { useMutation } from '@tanstack/react-query';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { SummarySubscription } from '@/server/summaries/schema';

export interface UnsubscribeProps {
  token: string;
  initial: SummarySubscription;
}

const words = {
  weekly: { none: 'no weekly summary', every: 'a summary', when: 'every Monday' },
  monthly: { none: 'no monthly report', every: 'a report', when: 'on the first of each month' },
};

/** Asks a member whether to end the weekly summaries or monthly reports of a team. */
export function Unsubscribe({ token, initial }: UnsubscribeProps) {
  const trpc = useTRPC();
  const ending = useMutation(trpc.summaries.unsubscribe.mutationOptions());
  const { kind, teamName, address, isActive } = ending.data?.subscription ?? initial;
  const { none, every, when } = words[kind];
  if (!isActive) {
    return (
      <p role="status" className="text-body text-muted [overflow-wrap:anywhere]">
        {address} gets {none} of {teamName}. You can switch it on again under Account.
      </p>
    );
  }
  return (
    <div className="grid gap-4">
      <p className="text-body text-muted [overflow-wrap:anywhere]">
        {address} gets {every} of {teamName} {when}.
      </p>
      <FormProblem>{ending.error ? readApiError(ending.error).message : null}</FormProblem>
      <Button variant="primary" size="large" busy={ending.isPending} onClick={() => ending.mutate({ token })}>
        Unsubscribe
      </Button>
    </div>
  );
}
