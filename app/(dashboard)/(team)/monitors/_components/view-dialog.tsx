'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { Button } from '@/app/_components/ui/button';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { CreateViewInput, type SavedView } from '@/server/saved-views/schema';

export interface ViewDialogProps {
  /** The search parameters to save. */
  query: string;
  /** The view to rename; without it, one is created. */
  view?: SavedView;
  onClose: () => void;
  onSaved: (view: SavedView) => void;
}

/** Saves what the list shows as a view, or renames one. */
export function ViewDialog(props: ViewDialogProps) {
  const { view, onClose } = props;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={view ? `Rename ${view.name}` : 'Save as view'}
      description={
        view ? undefined : 'A tab above the list for your whole team: its filters, order, groups and columns.'
      }
    >
      <ViewForm {...props} />
    </Dialog>
  );
}

function ViewForm({ query, view, onClose, onSaved }: ViewDialogProps) {
  const trpc = useTRPC();
  const creating = useMutation(trpc.savedViews.create.mutationOptions());
  const updating = useMutation(trpc.savedViews.update.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const { name = '', isDefault = false } = view ?? {};
  const form = useForm({ resolver: zodResolver(CreateViewInput), defaultValues: { name, query, isDefault } });
  const unsaved = useUnsaved(form, { part: 'view' });
  const { register, handleSubmit, reset, setError, control, formState } = form;
  const submit = handleSubmit(async (values) => {
    setProblem(null);
    try {
      const saving = view
        ? updating.mutateAsync({ id: view.id, name: values.name, ifUpdatedAt: view.updatedAt })
        : creating.mutateAsync(values);
      const { savedView } = await saving;
      reset(values);
      onSaved(savedView);
      onClose();
    } catch (error) {
      setProblem(toFieldErrors(error, setError, ['name']));
    }
  });
  return (
    <form aria-label={view ? 'Rename view' : 'Save as view'} noValidate onSubmit={submit} className="mt-2 grid gap-4">
      {unsaved}
      <FormProblem>{problem ?? formState.errors.query?.message ?? null}</FormProblem>
      <Field label="Name" error={formState.errors.name?.message}>
        <Input autoComplete="off" maxLength={60} {...register('name')} />
      </Field>
      {view ? null : (
        <Controller
          control={control}
          name="isDefault"
          render={({ field }) => (
            <CheckboxRow checked={field.value === true} onCheckedChange={(checked) => field.onChange(checked === true)}>
              Open the list with this view
            </CheckboxRow>
          )}
        />
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={formState.isSubmitting}>
          {view ? 'Rename view' : 'Save view'}
        </Button>
      </div>
    </form>
  );
}
