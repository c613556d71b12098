'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { whenTouched } from '@/app/_components/forms/when-touched';
import { incidentTypeWords, severityOptions } from '@/app/_components/incidents/incident-words';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { Textarea } from '@/app/_components/ui/textarea';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { CreateIncidentInput, IncidentType } from '@/server/incidents/schema';
import { ComponentsField } from './components-field';
import { MonitorsField } from './monitors-field';

const fields = ['title', 'cause', 'type', 'severity', 'monitorIds', 'componentIds'] as const;
const kinds = IncidentType.options.map((value) => ({ value, label: incidentTypeWords[value] }));

/** Creates a manual incident and opens its page. */
export function NewIncident() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const creating = useMutation(trpc.incidents.create.mutationOptions());
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    resolver: zodResolver(CreateIncidentInput),
    ...whenTouched,
    defaultValues: {
      title: '',
      cause: undefined,
      type: 'manual',
      severity: 'critical',
      monitorIds: [],
      componentIds: [],
    },
  });
  const unsaved = useUnsaved(form);
  const { control, register, formState } = form;
  const { errors, isSubmitting } = formState;
  const type = useWatch({ control, name: 'type' });
  const submit = form.handleSubmit(async (input) => {
    setFailure(null);
    try {
      const { incident } = await creating.mutateAsync(input);
      void queryClient.invalidateQueries(trpc.incidents.pathFilter());
      router.push(`/incidents/${incident.id}`);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, fields));
    }
  });
  return (
    <form aria-label="New incident" noValidate onSubmit={submit} className="grid max-w-[560px] content-start gap-5">
      {unsaved}
      <Field label="Title" error={errors.title?.message}>
        <Input autoComplete="off" placeholder="Payments are delayed" {...register('title')} />
      </Field>
      <Field label="Cause" optional error={errors.cause?.message} help="What caused the incident, as far as you know.">
        <Textarea
          {...register('cause', { setValueAs: (text: string | undefined) => (text?.trim() ? text : undefined) })}
        />
      </Field>
      <Field label="Type" error={errors.type?.message}>
        <Controller
          control={control}
          name="type"
          render={({ field }) => (
            <Select
              options={kinds}
              value={field.value ?? 'manual'}
              onValueChange={(value) => {
                field.onChange(value);
                // Only manual incidents have components; the field is hidden for others.
                if (value !== 'manual') form.setValue('componentIds', []);
              }}
            />
          )}
        />
      </Field>
      <Field label="Severity" error={errors.severity?.message}>
        <Controller
          control={control}
          name="severity"
          render={({ field }) => (
            <Select options={severityOptions} value={field.value ?? 'critical'} onValueChange={field.onChange} />
          )}
        />
      </Field>
      <Controller
        control={control}
        name="monitorIds"
        render={({ field }) => (
          <MonitorsField
            value={field.value ?? []}
            onValueChange={field.onChange}
            error={errors.monitorIds?.message ?? errors.monitorIds?.root?.message}
          />
        )}
      />
      {type === 'manual' ? (
        <Controller
          control={control}
          name="componentIds"
          render={({ field }) => (
            <ComponentsField
              value={field.value ?? []}
              onValueChange={field.onChange}
              error={errors.componentIds?.message ?? errors.componentIds?.root?.message}
            />
          )}
        />
      ) : null}
      <FormProblem>{failure}</FormProblem>
      <div className="grid gap-3 border-t pt-5">
        <p className="text-small text-muted">
          Alerts go to the channels of these monitors, or to all team channels if no monitor is selected. The incident
          stays open until someone resolves it.
        </p>
        <div className="flex items-center gap-2">
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Create incident
          </Button>
          <Button asChild variant="ghost">
            <Link href="/incidents">Discard</Link>
          </Button>
        </div>
      </div>
    </form>
  );
}
