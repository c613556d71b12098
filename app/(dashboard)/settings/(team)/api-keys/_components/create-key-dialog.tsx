'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { Evidence } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { CreateApiKeyInput, type CreatedApiKey } from '@/server/api-keys/schema';
import { DAY_MS } from '@/server/time/schema';

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;

const scopes = [
  { value: 'read', label: 'Read', note: 'view all resources' },
  { value: 'write', label: 'Write', note: 'create, update and delete resources' },
] as const;

const KeyFields = CreateApiKeyInput.omit({ expiresAt: true }).extend({
  lifetime: z.enum(['never', '30', '90', '365']),
});
type KeyFields = z.infer<typeof KeyFields>;

function toExpiry(lifetime: KeyFields['lifetime']): string | null {
  return lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();
}

export interface CreateKeyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Creates a key, then shows its secret once. */
export function CreateKeyDialog({ open, onOpenChange }: CreateKeyDialogProps) {
  const formId = useId();
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [busy, setBusy] = useState(false);
  const close = (next: boolean) => {
    onOpenChange(next);
    if (!next) setCreated(null);
  };
  if (created) {
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        title={`Secret of “${created.apiKey.name}”`}
        description="Copy the secret now. It cannot be shown again."
        footer={
          <Button variant="primary" onClick={() => close(false)}>
            Done
          </Button>
        }
      >
        <Evidence
          head={
            <CopyButton text={created.secret} label="Copy secret">
              Copy secret
            </CopyButton>
          }
        >
          <p className="mono p-3 [overflow-wrap:anywhere]">{created.secret}</p>
        </Evidence>
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="New API key"
      footer={
        <>
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            Create key
          </Button>
        </>
      }
    >
      <CreateForm formId={formId} onBusy={setBusy} onCreated={setCreated} />
    </Dialog>
  );
}

interface CreateFormProps {
  formId: string;
  onBusy: (busy: boolean) => void;
  onCreated: (created: CreatedApiKey) => void;
}

function CreateForm({ formId, onBusy, onCreated }: CreateFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<KeyFields>({
    resolver: zodResolver(KeyFields),
    defaultValues: { name: '', scopes: ['read'], lifetime: 'never' },
  });
  const unsaved = useUnsaved(form, { part: 'key' });
  const { errors } = form.formState;
  const creating = useMutation(trpc.apiKeys.create.mutationOptions());
  const [chosen, lifetime] = form.watch(['scopes', 'lifetime']);
  const submit = form.handleSubmit(async ({ name, scopes: wanted, lifetime: until }) => {
    setFailure(null);
    onBusy(true);
    try {
      onCreated(await creating.mutateAsync({ name, scopes: wanted, expiresAt: toExpiry(until) }));
      await Promise.all([
        queryClient.invalidateQueries(trpc.apiKeys.pathFilter()),
        queryClient.invalidateQueries(trpc.billing.pathFilter()),
      ]);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, ['name', 'scopes']));
    } finally {
      onBusy(false);
    }
  });
  const toggle = (scope: KeyFields['scopes'][number], on: boolean) => {
    const next = on ? [...chosen, scope] : chosen.filter((each) => each !== scope);
    form.setValue('scopes', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  };
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-4 pt-2">
      {unsaved}
      <Field label="Name" error={errors.name?.message} help="For example “Terraform” or “deploy script”.">
        <Input autoComplete="off" maxLength={100} {...form.register('name')} />
      </Field>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">Scopes</legend>
        {scopes.map(({ value, label, note }) => (
          <CheckboxRow
            key={value}
            note={note}
            checked={chosen.includes(value)}
            onCheckedChange={(on) => toggle(value, on === true)}
          >
            {label}
          </CheckboxRow>
        ))}
        {errors.scopes ? <FieldError>{errors.scopes.message}</FieldError> : null}
      </fieldset>
      <Field label="Expires">
        <Select
          options={lifetimes}
          value={lifetime}
          onValueChange={(value) => form.setValue('lifetime', value, { shouldDirty: true })}
        />
      </Field>
      {failure ? <FieldError>{failure}</FieldError> : null}
    </form>
  );
}
