'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { SwitchRow } from '@/app/_components/ui/switch';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { SummarySetting } from '@/server/summaries/schema';

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
  return (
    <MailSetting
      setting={query.data?.weeklySummary}
      label={`Email me a summary of ${teamName} every week`}
      when="Mondays at 08:00"
      content="incidents, outages and the monitors with the lowest uptime, compared with the week before"
      isBusy={updating.isPending}
      problem={updating.error ?? query.error}
      onChange={(isActive) => updating.mutate({ isActive })}
    />
  );
}

/** The setting for the user's monthly report of the team. Saved at once. */
export function MonthlyReportSetting({ teamName }: { teamName: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.summaries.getReport.queryOptions());
  const updating = useMutation(
    trpc.summaries.updateReport.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.summaries.getReport.queryKey(), saved);
        toast('Saved');
      },
    }),
  );
  return (
    <MailSetting
      setting={query.data?.monthlyReport}
      label={`Email me a report of ${teamName} every month`}
      when="On the 1st at 08:00, or at 01:00 UTC if that is later"
      content="uptime, downtime and incidents of the month before against an objective of 99.9 %, worst monitors first"
      isBusy={updating.isPending}
      problem={updating.error ?? query.error}
      onChange={(isActive) => updating.mutate({ isActive })}
    />
  );
}

interface MailSettingProps {
  /** Undefined while it loads. */
  setting: SummarySetting | undefined;
  label: string;
  when: string;
  content: string;
  isBusy: boolean;
  problem: Parameters<typeof readApiError>[0] | null;
  onChange: (isActive: boolean) => void;
}

function MailSetting({ setting, label, when, content, isBusy, problem, onChange }: MailSettingProps) {
  return (
    <div className="grid gap-3">
      <SwitchRow checked={setting?.isActive ?? false} disabled={!setting || isBusy} onCheckedChange={onChange}>
        {label}
      </SwitchRow>
      <p className="text-small text-muted [overflow-wrap:anywhere]">
        {when}
        {setting ? ` (${setting.timezone.replaceAll('_', ' ')})` : ''}: {content}.
      </p>
      {setting?.isActive && !setting.isConfirmed && (
        <div className="grid justify-items-start gap-3">
          <p role="status" className="text-small [overflow-wrap:anywhere]">
            To get these emails, open the link in the email to {setting.address}.
          </p>
          <Button busy={isBusy} onClick={() => onChange(true)}>
            Send the email again
          </Button>
        </div>
      )}
      <FormProblem>{problem ? readApiError(problem).message : null}</FormProblem>
    </div>
  );
}
