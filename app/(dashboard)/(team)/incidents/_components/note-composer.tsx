'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { lazyResolver } from '@/app/_components/forms/lazy-resolver';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { FieldError } from '@/app/_components/ui/field';
import { Textarea } from '@/app/_components/ui/textarea';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import type { Incident } from '@/server/incidents/schema';

/** Whether status pages can show the incident: it has a monitor or a component and is not about a certificate. */
export function isShownToCustomers({ monitorId, components, type }: Incident): boolean {
  return (monitorId !== null || components.length > 0) && type !== 'certificate';
}

/** One line that grows: adds a note to an incident, internal or public. */
export function NoteComposer({ incident }: { incident: Incident }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const adding = useMutation(trpc.incidents.addUpdate.mutationOptions());
  const [failure, setFailure] = useState<string | null>(null);
  const empty = { id: incident.id, message: '', isPublic: false };
  const form = useForm({
    resolver: lazyResolver(async () => (await import('@/server/incidents/schema')).AddUpdateInput),
    defaultValues: empty,
  });
  const unsaved = useUnsaved(form, { part: 'note' });
  const { control, register, formState } = form;
  const { errors, isSubmitting } = formState;
  const isPublic = useWatch({ control, name: 'isPublic' });
  const [isOpen, setOpen] = useState(false);
  const [textId, errorId] = [useId(), useId()];
  const submit = form.handleSubmit(async (input) => {
    setFailure(null);
    try {
      await adding.mutateAsync(input);
      form.reset(empty);
      toast(input.isPublic ? 'Note published to status pages' : 'Note saved');
      await queryClient.invalidateQueries(trpc.incidents.pathFilter());
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, ['message', 'isPublic']));
    }
  });
  return (
    <form
      aria-label="New note"
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !form.formState.isSubmitting) void submit();
      }}
      onFocus={() => setOpen(true)}
      className="mb-6 grid gap-2"
    >
      {unsaved}
      <div className="flex items-end gap-2">
        <Textarea
          id={textId}
          aria-label="Note"
          aria-invalid={errors.message ? true : undefined}
          aria-describedby={errors.message ? errorId : undefined}
          rows={1}
          placeholder="Add an update…"
          className="field-sizing-content max-h-80 min-h-0 grow resize-none py-[5px]"
          {...register('message')}
        />
        <Button type="submit" busy={isSubmitting}>
          {isPublic ? 'Publish' : 'Save note'}
        </Button>
      </div>
      {errors.message?.message ? <FieldError id={errorId}>{errors.message.message}</FieldError> : null}
      {failure ? <FieldError>{failure}</FieldError> : null}
      {isOpen ? (
        isShownToCustomers(incident) ? (
          <Controller
            control={control}
            name="isPublic"
            render={({ field }) => (
              <CheckboxRow
                checked={field.value === true}
                onCheckedChange={(checked) => field.onChange(checked === true)}
              >
                Show on status pages
              </CheckboxRow>
            )}
          />
        ) : (
          <p className="text-small text-muted">
            Only your team sees this note. Status pages do not show this incident.
          </p>
        )
      ) : null}
    </form>
  );
}
