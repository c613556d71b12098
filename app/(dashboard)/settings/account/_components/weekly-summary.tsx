'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { SwitchRow } from '@/app/_components/ui/switch';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** The setting for the user's weekly summary of the team. Saved at once. */
export function WeeklySummarySetting({ teamName }: { teamName: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.summaries.get.queryOptions());
  const updating = useMutation(
    trpc.summaries.update.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.summaries.get.queryKey(), saved);
        toast('Saved');
      },
    }),
  );
  const problem = updating.error ?? query.error;
  const summary = query.data?.weeklySummary;
  return (
    <div className="grid gap-3">
      <SwitchRow
        checked={summary?.isActive ?? false}
        disabled={!summary || updating.isPending}
        onCheckedChange={(isActive) => updating.mutate({ isActive })}
      >
        Email me a summary of {teamName} every week
      </SwitchRow>
      <p className="text-small text-muted [overflow-wrap:anywhere]">
        Mondays at 08:00{summary ? ` (${summary.timezone.replaceAll('_', ' ')})` : ''}: incidents, outages and the
        monitors with the lowest uptime, compared with the week before.
      </p>
      {summary?.isActive && !summary.isConfirmed && (
        <div className="grid justify-items-start gap-3">
          <p role="status" className="text-small [overflow-wrap:anywhere]">
            To get summaries, open the link in the email to {summary.address}.
          </p>
          <Button busy={updating.isPending} onClick={() => updating.mutate({ isActive: true })}>
            Send the email again
          </Button>
        </div>
      )}
      <FormProblem>{problem ? readApiError(problem).message : null}</FormProblem>
    </div>
  );
}
