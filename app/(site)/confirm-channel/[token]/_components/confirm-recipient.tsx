'use client';

import { useMutation } from '@tanstack/react-query';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { ConfirmationView } from '@/server/notifications/schema';

export interface ConfirmRecipientProps {
  token: string;
  initial: ConfirmationView;
}

/** Asks the recipient to confirm alerts from a team. */
export function ConfirmRecipient({ token, initial }: ConfirmRecipientProps) {
  const trpc = useTRPC();
  const confirming = useMutation(trpc.notifications.confirmRecipient.mutationOptions());
  const { teamName, address, isConfirmed } = confirming.data?.confirmation ?? initial;
  if (isConfirmed) {
    return (
      <p role="status" className="text-body text-muted [overflow-wrap:anywhere]">
        {address} receives the alerts of {teamName}. You can close this page.
      </p>
    );
  }
  return (
    <div className="grid gap-4">
      <p className="text-body text-muted [overflow-wrap:anywhere]">
        {teamName} wants to send alerts from Upwatch to {address}. Nothing is sent until you confirm.
      </p>
      <FormProblem>{confirming.error ? readApiError(confirming.error).message : null}</FormProblem>
      <Button variant="primary" size="large" busy={confirming.isPending} onClick={() => confirming.mutate({ token })}>
        Receive alerts
      </Button>
    </div>
  );
}
