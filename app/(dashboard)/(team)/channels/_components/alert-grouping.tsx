'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

const windows = [
  { value: '0', label: 'Off: each alert by itself' },
  { value: '5', label: 'Within 5 s' },
  { value: '15', label: 'Within 15 s' },
  { value: '30', label: 'Within 30 s' },
  { value: '60', label: 'Within 1 min' },
  { value: '300', label: 'Within 5 min' },
] as const;

/** The setting for grouping the team's alerts. Saved at once. */
export function AlertGrouping({ canChange }: { canChange: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.notifications.grouping.get.queryOptions());
  const updating = useMutation(
    trpc.notifications.grouping.update.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.notifications.grouping.get.queryKey(), saved);
        toast('Saved');
      },
    }),
  );
  const seconds = query.data?.grouping.seconds;
  if (seconds === undefined) return null;
  const value = String(seconds);
  const options = windows.some((each) => each.value === value)
    ? windows
    : [...windows, { value, label: `Within ${seconds} s` }];
  return (
    <Section title="Grouping" className="max-w-[560px]">
      <Field
        label="Combine alerts"
        help="The first alert is sent at once. Further alerts within this time are combined into one message that names every monitor."
      >
        <Select<string>
          options={options}
          value={value}
          disabled={!canChange || updating.isPending}
          onValueChange={(next) => updating.mutate({ seconds: Number(next) })}
        />
      </Field>
      <FormProblem>{updating.error ? readApiError(updating.error).message : null}</FormProblem>
    </Section>
  );
}
