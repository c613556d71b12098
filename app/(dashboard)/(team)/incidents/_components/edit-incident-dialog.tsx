'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Textarea } from '@/app/_components/ui/textarea';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { type Incident, UpdateIncidentInput } from '@/server/incidents/schema';

export interface EditIncidentDialogProps {
  incident: Incident;
  /** What it is called now, given or made. */
  title: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Changes an incident's title and cause. */
export function EditIncidentDialog(props: EditIncidentDialogProps) {
  const { open, onOpenChange } = props;
  const formId = useId();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Edit the incident"
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            Save changes
          </Button>
        </>
      }
    >
      <EditForm {...props} formId={formId} onBusy={setBusy} />
    </Dialog>
  );
}

function EditForm({
  incident,
  title,
  onOpenChange,
  formId,
  onBusy,
}: EditIncidentDialogProps & { formId: string; onBusy: (busy: boolean) => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    resolver: zodResolver(UpdateIncidentInput),
    defaultValues: { id: incident.id, title: incident.title ?? title, cause: incident.cause ?? undefined },
  });
  const { errors, dirtyFields } = form.formState;
  const updating = useMutation(trpc.incidents.update.mutationOptions());
  const submit = form.handleSubmit(async ({ id, ...words }) => {
    // A title that was only made up for display is not kept as if a person had given it.
    const newTitle = dirtyFields.title ? words.title : undefined;
    const newCause = dirtyFields.cause ? words.cause : undefined;
    if (!newTitle && !newCause) return onOpenChange(false);
    onBusy(true);
    try {
      await updating.mutateAsync({ id, ...(newTitle && { title: newTitle }), ...(newCause && { cause: newCause }) });
      await queryClient.invalidateQueries(trpc.incidents.pathFilter());
      onOpenChange(false);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, ['title', 'cause']));
    } finally {
      onBusy(false);
    }
  });
  // Nothing is no cause as long as there was none; a cause that is there can be changed, not taken back.
  const orNothing = { setValueAs: (text: string | undefined) => (text || incident.cause !== null ? text : undefined) };
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-4 pt-2">
      <Field label="Title" error={errors.title?.message}>
        <Input autoComplete="off" maxLength={200} {...form.register('title')} />
      </Field>
      <Field label="Cause" optional error={errors.cause?.message} help="What was wrong, as far as you know now.">
        <Textarea maxLength={4000} {...form.register('cause', orNothing)} />
      </Field>
      {failure || errors.root ? <FieldError>{failure ?? errors.root?.message}</FieldError> : null}
    </form>
  );
}
