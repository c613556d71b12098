'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { FailedQuery } from '@/app/_components/failed-query';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { useFollow } from '@/app/_components/forms/use-follow';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { whenTouched } from '@/app/_components/forms/when-touched';
import { Section } from '@/app/_components/page';
import { useChosenTimeZone } from '@/app/_components/time/time-zone';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import {
  type Channel,
  type ChannelRules,
  channelDefinitionOf,
  type UpdateRulesInput,
} from '@/server/notifications/schema';
import { LimitsFields } from './limits-fields';
import { QuietHoursFields } from './quiet-hours-fields';
import { RoutingFields } from './routing-fields';
import { type RulesFields, rulesForm, toRulesFields } from './rules-model';

/** The sections of a channel's page that define which alerts it gets and when. */
export function ChannelRulesSection({ channel }: { channel: Channel }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.notifications.rules.get.queryOptions({ id: channel.id }));
  const rules = query.data?.rules;
  if (rules) return <RulesForm channel={channel} rules={rules} />;
  return (
    <Section title="Routing">
      {query.isPending ? <RowsLoading rows={3} label="Loading the rules" /> : null}
      {query.isError ? <FailedQuery query={query} title="Could not load the rules" /> : null}
    </Section>
  );
}

/** An error of the server is shown at the field that its path starts with. */
const fieldOf = (path: string) =>
  (['monitorIds', 'tags', 'minSeverity', 'events', 'quietHours', 'maxPerMinute', 'reminderMinutes'] as const).find(
    (field) => path === field || path.startsWith(`${field}.`),
  );

function RulesForm({ channel, rules }: { channel: Channel; rules: ChannelRules }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const zone = useChosenTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const updating = useMutation(trpc.notifications.rules.update.mutationOptions());
  const form = useForm<RulesFields, unknown, Omit<UpdateRulesInput, 'id'>>({
    defaultValues: toRulesFields(rules, zone),
    resolver: zodResolver(rulesForm),
    ...whenTouched,
  });
  const unsaved = useUnsaved(form, { part: 'rules' });
  useFollow(form, toRulesFields(rules, zone));
  const [failure, setFailure] = useState<string | null>(null);
  const submit = form.handleSubmit(async (input) => {
    setFailure(null);
    try {
      const saved = await updating.mutateAsync({ id: channel.id, ...input });
      form.reset(toRulesFields(saved.rules, zone));
      toast('Rules saved');
      queryClient.setQueryData(trpc.notifications.rules.get.queryKey({ id: channel.id }), saved);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, fieldOf));
    }
  });
  const { mirrorsIncidents, category } = channelDefinitionOf(channel.type);
  const isForPeople = !mirrorsIncidents;
  const { isDirty, isSubmitting } = form.formState;
  return (
    <FormProvider {...form}>
      <form aria-label="Alert rules" noValidate onSubmit={submit} className="mt-8 min-w-0">
        {unsaved}
        <RoutingFields matching={rules.matchingMonitors} isPaging={category === 'paging'} />
        {isForPeople ? (
          <>
            <QuietHoursFields />
            <LimitsFields />
          </>
        ) : null}
        <FormProblem>{failure}</FormProblem>
        <div className="mt-5 flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save rules
          </Button>
          {isDirty ? (
            <Button variant="ghost" onClick={() => form.reset()}>
              Discard
            </Button>
          ) : null}
        </div>
      </form>
    </FormProvider>
  );
}
