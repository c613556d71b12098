'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
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
  /** The title as displayed: set by a user or generated. */
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
      title="Edit incident"
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
  const unsaved = useUnsaved(form, { part: 'edit' });
  const { errors, dirtyFields } = form.formState;
  const updating = useMutation(trpc.incidents.update.mutationOptions());
  const submit = form.handleSubmit(async ({ id, ...words }) => {
    // Does not store a generated title as if a user had set it.
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
  // An empty cause is omitted. An existing cause can be changed but not cleared.
  const orNothing = { setValueAs: (text: string | undefined) => (text || incident.cause !== null ? text : undefined) };
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-4 pt-2">
      {unsaved}
      <Field label="Title" error={errors.title?.message}>
        <Input autoComplete="off" maxLength={200} {...form.register('title')} />
      </Field>
      <Field label="Cause" optional error={errors.cause?.message} help="What caused the incident, as far as you know.">
        <Textarea maxLength={4000} {...form.register('cause', orNothing)} />
      </Field>
      {failure || errors.root ? <FieldError>{failure ?? errors.root?.message}</FieldError> : null}
    </form>
  );
}
