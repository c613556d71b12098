'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { severityOptions } from '@/app/_components/incidents/incident-words';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { Textarea } from '@/app/_components/ui/textarea';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { EditIncidentInput, type Incident } from '@/server/incidents/schema';
import { AssigneeField } from './assignee-field';
import { ComponentsField } from './components-field';
import { MonitorsField } from './monitors-field';

const fields = ['title', 'cause', 'severity', 'assigneeId', 'monitorIds', 'componentIds'] as const;

export interface EditIncidentDialogProps {
  incident: Incident;
  /** The title as displayed: set by a user or generated. */
  title: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Edits an incident. Title and cause of a resolved incident cannot be changed. */
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
    resolver: zodResolver(EditIncidentInput),
    defaultValues: {
      id: incident.id,
      title: incident.title ?? title,
      cause: incident.cause,
      severity: incident.severity,
      assigneeId: incident.assigneeId,
      monitorIds: incident.monitorIds,
      componentIds: incident.components.map((component) => component.id),
    },
  });
  const unsaved = useUnsaved(form, { part: 'edit' });
  const { errors, dirtyFields } = form.formState;
  const updating = useMutation(trpc.incidents.edit.mutationOptions());
  const submit = form.handleSubmit(async ({ id, ...given }) => {
    const { title: newTitle, cause, severity, assigneeId, monitorIds, componentIds } = given;
    const changes = {
      // Does not store a generated title as if a user had set it.
      ...(dirtyFields.title && { title: newTitle }),
      ...(dirtyFields.cause && { cause }),
      ...(dirtyFields.severity && { severity }),
      ...(dirtyFields.assigneeId && { assigneeId }),
      ...(dirtyFields.monitorIds && { monitorIds }),
      ...(dirtyFields.componentIds && { componentIds }),
    };
    if (Object.keys(changes).length === 0) return onOpenChange(false);
    onBusy(true);
    try {
      await updating.mutateAsync({ id, ...changes });
      await queryClient.invalidateQueries(trpc.incidents.pathFilter());
      onOpenChange(false);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, fields));
    } finally {
      onBusy(false);
    }
  });
  const orNothing = { setValueAs: (text: string | null) => text || null };
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-4 pt-2">
      {unsaved}
      {incident.status === 'resolved' ? null : (
        <>
          <Field label="Title" error={errors.title?.message}>
            <Input autoComplete="off" maxLength={200} {...form.register('title')} />
          </Field>
          <Field
            label="Cause"
            optional
            error={errors.cause?.message}
            help="What caused the incident, as far as you know."
          >
            <Textarea maxLength={4000} {...form.register('cause', orNothing)} />
          </Field>
        </>
      )}
      <Field label="Severity" error={errors.severity?.message}>
        <Controller
          control={form.control}
          name="severity"
          render={({ field }) => (
            <Select options={severityOptions} value={field.value ?? 'critical'} onValueChange={field.onChange} />
          )}
        />
      </Field>
      <Controller
        control={form.control}
        name="assigneeId"
        render={({ field }) => (
          <AssigneeField
            value={field.value ?? null}
            onValueChange={field.onChange}
            error={errors.assigneeId?.message}
          />
        )}
      />
      <Controller
        control={form.control}
        name="monitorIds"
        render={({ field }) => (
          <MonitorsField
            value={field.value ?? []}
            onValueChange={field.onChange}
            fixedId={incident.type === 'manual' ? null : incident.monitorId}
            error={errors.monitorIds?.message ?? errors.monitorIds?.root?.message}
          />
        )}
      />
      {incident.type === 'manual' ? (
        <Controller
          control={form.control}
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
      {failure || errors.root ? <FieldError>{failure ?? errors.root?.message}</FieldError> : null}
    </form>
  );
}
