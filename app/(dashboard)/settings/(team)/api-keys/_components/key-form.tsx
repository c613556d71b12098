'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { RadioGroup } from '@/app/_components/ui/radio-group';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import type { CreatedApiKey } from '@/server/api-keys/schema';
import { Scope } from '@/server/trpc/schema';
import { choices, KeyFields, toInput, withScope } from './key-fields';

const accesses = [
  { value: 'full', label: 'Full access', note: 'All but team administration' },
  { value: 'read', label: 'Read only', note: 'View resources' },
  { value: 'resources', label: 'By resource', note: 'Choose for each' },
] as const;

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;

export interface KeyFormProps {
  formId: string;
  onBusy: (busy: boolean) => void;
  onCreated: (created: CreatedApiKey) => void;
}

/** The form of a new key. */
export function KeyForm({ formId, onBusy, onCreated }: KeyFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<KeyFields>({
    resolver: zodResolver(KeyFields),
    defaultValues: { name: '', access: 'read', scopes: [], allowedNetworks: '', lifetime: 'never' },
  });
  const unsaved = useUnsaved(form, { part: 'key' });
  const { errors } = form.formState;
  const creating = useMutation(trpc.apiKeys.create.mutationOptions());
  const [access, lifetime] = form.watch(['access', 'lifetime']);
  const submit = form.handleSubmit(async (fields) => {
    setFailure(null);
    onBusy(true);
    try {
      onCreated(await creating.mutateAsync(toInput(fields)));
      await Promise.all([
        queryClient.invalidateQueries(trpc.apiKeys.pathFilter()),
        queryClient.invalidateQueries(trpc.billing.pathFilter()),
      ]);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, ['name', 'scopes', 'allowedNetworks']));
    } finally {
      onBusy(false);
    }
  });
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-4 pt-2">
      {unsaved}
      <Field label="Name" error={errors.name?.message} help="For example “Terraform” or “deploy script”.">
        <Input autoComplete="off" maxLength={100} {...form.register('name')} />
      </Field>
      <RadioGroup
        legend="Access"
        name="access"
        options={accesses}
        value={access}
        onValueChange={(value) => form.setValue('access', value, { shouldDirty: true })}
      />
      {access === 'resources' ? <ResourceFields form={form} /> : null}
      <Field label="Expires">
        <Select
          options={lifetimes}
          value={lifetime}
          onValueChange={(value) => form.setValue('lifetime', value, { shouldDirty: true })}
        />
      </Field>
      <Field
        label="Allowed networks"
        optional
        error={errors.allowedNetworks?.message}
        help="Addresses or ranges, such as 192.0.2.0/24, 2001:db8::/32. Without any, the key is accepted from everywhere."
      >
        <Input autoComplete="off" spellCheck={false} maxLength={1000} {...form.register('allowedNetworks')} />
      </Field>
      {failure ? <FieldError>{failure}</FieldError> : null}
    </form>
  );
}

/** What the key can do with each resource. */
function ResourceFields({ form }: { form: UseFormReturn<KeyFields> }) {
  const chosen = form.watch('scopes');
  const error = form.formState.errors.scopes?.message;
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">Resources</legend>
      {choices.map((choice) => (
        <div key={choice.resource} className="flex min-w-0 items-center justify-between gap-3 py-0.5">
          <span className="min-w-0">
            {choice.label} <span className="text-small text-faint">{choice.covers}</span>
          </span>
          <Select
            look="quiet"
            className="w-36 shrink-0"
            aria-label={choice.label}
            options={[
              { value: 'none', label: 'No access' },
              ...choice.scopes.map((scope) => ({
                value: scope as string,
                label: scope.endsWith(':read') ? 'Read' : 'Read and write',
              })),
            ]}
            value={choice.scopes.find((scope) => chosen.includes(scope)) ?? 'none'}
            onValueChange={(value) => {
              const next = withScope(chosen, choice, value === 'none' ? null : Scope.parse(value));
              form.setValue('scopes', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
            }}
          />
        </div>
      ))}
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  );
}
