'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { CreateComponentInput, type StatusPageComponent } from '@/server/status-pages/schema';
import { deletionText } from './deletion-text';

/** The open dialog: for a new component, or to edit or delete one. */
export type ComponentTask = { kind: 'new' } | { kind: 'edit' | 'delete'; component: StatusPageComponent };

/** The ID of the button that adds a component. */
export const addComponentId = 'add-component';

export interface ComponentDialogsProps {
  statusPageId: string;
  task: ComponentTask | null;
  onClose: () => void;
}

/** The dialogs to add, edit and delete components without a monitor. Saved at once. */
export function ComponentDialogs({ statusPageId, task, onClose }: ComponentDialogsProps) {
  const formId = useId();
  const [busy, setBusy] = useState(false);
  const isForm = task !== null && task.kind !== 'delete';
  const isNew = task?.kind === 'new';
  return (
    <>
      <Dialog
        open={isForm}
        onOpenChange={(open) => !open && onClose()}
        title={isNew ? 'Add a component' : 'Edit component'}
        description="For services without a monitor, such as a phone line. Its status follows the incidents that affect it."
        footer={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={formId} variant="primary" busy={busy}>
              {isNew ? 'Add component' : 'Save component'}
            </Button>
          </>
        }
      >
        {isForm ? (
          <ComponentForm statusPageId={statusPageId} task={task} formId={formId} onClose={onClose} onBusy={setBusy} />
        ) : null}
      </Dialog>
      <DeleteComponent component={task?.kind === 'delete' ? task.component : null} onClose={onClose} />
    </>
  );
}

interface ComponentFormProps {
  statusPageId: string;
  task: ComponentTask;
  formId: string;
  onBusy: (busy: boolean) => void;
  onClose: () => void;
}

function ComponentForm({ statusPageId, task, formId, onBusy, onClose }: ComponentFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  // Keeps the version that was opened, even if others change the component.
  const [edited] = useState(task.kind === 'new' ? null : task.component);
  const form = useForm({
    resolver: zodResolver(CreateComponentInput),
    defaultValues: { statusPageId, name: edited?.name ?? '', description: edited?.description ?? '' },
  });
  const unsaved = useUnsaved(form, { part: 'component' });
  const creating = useMutation(trpc.statusPageComponents.create.mutationOptions());
  const updating = useMutation(trpc.statusPageComponents.update.mutationOptions());
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (input) => {
    const { name, description = '' } = input;
    setFailure(null);
    onBusy(true);
    try {
      if (edited) await updating.mutateAsync({ id: edited.id, name, description, ifUpdatedAt: edited.updatedAt });
      else await creating.mutateAsync(input);
      await queryClient.invalidateQueries(trpc.statusPages.pathFilter());
      void queryClient.invalidateQueries(trpc.statusPageComponents.pathFilter());
      toast(`${edited ? 'Saved' : 'Added'} ${name}`);
      onClose();
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, ['name', 'description']));
    } finally {
      onBusy(false);
    }
  });
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-4 pt-2">
      {unsaved}
      <Field label="Name" error={errors.name?.message}>
        <Input autoComplete="off" placeholder="Support phone line" {...form.register('name')} />
      </Field>
      <Field
        label="Description"
        optional
        error={errors.description?.message}
        help="Shown on the status page below the name."
      >
        <Input autoComplete="off" placeholder="Weekdays 08:00–18:00" {...form.register('description')} />
      </Field>
      <FormProblem>{failure}</FormProblem>
    </form>
  );
}

interface DeleteComponentProps {
  component: StatusPageComponent | null;
  onClose: () => void;
}

/** Confirms the deletion of a component; names the incidents that refer to it. */
function DeleteComponent({ component, onClose }: DeleteComponentProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const filter = { componentId: component?.id ?? '' };
  const enabled = component !== null;
  const incidents = useQuery(
    trpc.incidents.list.queryOptions({ ...filter, order: 'status', limit: 5 }, { enabled, staleTime: 0 }),
  );
  const counts = useQuery(trpc.incidents.counts.queryOptions(filter, { enabled, staleTime: 0 }));
  const deleting = useMutation(
    trpc.statusPageComponents.delete.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.statusPages.pathFilter());
        void queryClient.invalidateQueries(trpc.statusPageComponents.pathFilter());
        void queryClient.invalidateQueries(trpc.incidents.pathFilter());
        toast(`Deleted ${component?.name}`);
        onClose();
        // The pressed button was removed with its row.
        requestAnimationFrame(() => document.getElementById(addComponentId)?.focus());
      },
    }),
  );
  if (!component) return null;
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Delete “${component.name}”?`}
      safe="Cancel"
      verb="Delete component"
      danger
      doing={deleting}
      onConfirm={() => deleting.mutate({ id: component.id })}
    >
      The component and its history disappear from the page at once.{' '}
      {incidents.isError || counts.isError
        ? 'The incidents that name it could not be loaded; they are kept without it.'
        : deletionText(incidents.data?.incidents, counts.data)}
    </AlertDialog>
  );
}
