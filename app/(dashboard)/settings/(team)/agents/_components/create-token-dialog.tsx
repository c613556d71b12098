'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { Evidence } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { CreateAgentTokenInput, type CreatedAgentToken } from '@/server/agents/schema';

export interface CreateTokenDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const commandOf = ({ agentToken }: CreatedAgentToken) =>
  `upwatch agent --url ${window.location.origin} --region ${agentToken.region.replace(/^private\//, '')} --token-file agent-token`;

/** Creates a token, then shows its secret once. */
export function CreateTokenDialog({ open, onOpenChange }: CreateTokenDialogProps) {
  const formId = useId();
  const [created, setCreated] = useState<CreatedAgentToken | null>(null);
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
        title={`Secret of “${created.agentToken.name}”`}
        description="Copy the secret now. It cannot be shown again. Save it in a file, such as agent-token, and start the agent."
        footer={
          <Button variant="primary" onClick={() => close(false)}>
            Done
          </Button>
        }
      >
        <div className="grid gap-3">
          <Evidence
            head={
              <CopyButton text={created.secret} label="Copy secret">
                Copy secret
              </CopyButton>
            }
          >
            <p className="mono p-3 [overflow-wrap:anywhere]">{created.secret}</p>
          </Evidence>
          <Evidence
            head={
              <CopyButton text={commandOf(created)} label="Copy command">
                Copy command
              </CopyButton>
            }
          >
            <p className="mono p-3 [overflow-wrap:anywhere]">{commandOf(created)}</p>
          </Evidence>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="New agent token"
      footer={
        <>
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            Create token
          </Button>
        </>
      }
    >
      <TokenForm formId={formId} onBusy={setBusy} onCreated={setCreated} />
    </Dialog>
  );
}

interface TokenFormProps {
  formId: string;
  onBusy: (busy: boolean) => void;
  onCreated: (created: CreatedAgentToken) => void;
}

/** The form of a new token. */
function TokenForm({ formId, onBusy, onCreated }: TokenFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<CreateAgentTokenInput>({
    resolver: zodResolver(CreateAgentTokenInput),
    defaultValues: { name: '', region: '' },
  });
  const unsaved = useUnsaved(form, { part: 'token' });
  const { errors } = form.formState;
  const creating = useMutation(trpc.agents.createToken.mutationOptions());
  const submit = form.handleSubmit(async (fields) => {
    setFailure(null);
    onBusy(true);
    try {
      onCreated(await creating.mutateAsync(fields));
      await Promise.all([
        queryClient.invalidateQueries(trpc.agents.pathFilter()),
        queryClient.invalidateQueries(trpc.monitors.regions.queryFilter()),
      ]);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, ['name', 'region']));
    } finally {
      onBusy(false);
    }
  });
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-4 pt-2">
      {unsaved}
      <Field label="Name" error={errors.name?.message} help="For example the machine that the agent runs on.">
        <Input autoComplete="off" maxLength={100} {...form.register('name')} />
      </Field>
      <Field
        label="Region"
        error={errors.region?.message}
        help="The name of the network, such as office. Monitors select it as private/office. Agents get the secrets of these monitors."
      >
        <Input autoComplete="off" spellCheck={false} maxLength={32} {...form.register('region')} />
      </Field>
      {failure ? <FieldError>{failure}</FieldError> : null}
    </form>
  );
}
