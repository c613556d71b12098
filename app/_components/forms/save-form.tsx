'use client';

import { useState } from 'react';
import { type FieldPath, type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form';
import { Button } from '@/app/_components/ui/button';
import { toFieldErrors } from '@/app/_trpc/errors';
import { FormProblem } from './form-problem';
import { useFirstError } from './use-first-error';
import { type EditedVersion, useUnsaved } from './use-unsaved';

export interface SaveFormProps<Values extends FieldValues, Input> {
  /** Created with `shouldFocusError: false`, because this component focuses the first invalid field in page order. */
  form: UseFormReturn<Values, unknown, Input>;
  /** The accessible name. */
  label: string;
  /** The text of the save button. */
  verb: string;
  /** Set if the form edits an object. */
  edit?: EditedVersion | undefined;
  /** The field that shows an issue at a path of the API's input; null if no field does. */
  fieldOf: (path: string) => FieldPath<Values> | null | undefined;
  onSave: (input: Input) => Promise<void>;
  /** Shown beside the save button. */
  actions?: React.ReactNode;
  children: React.ReactNode;
}

/** A form that saves, shows the server's errors at its fields, focuses the first one, and protects unsaved changes. */
export function SaveForm<Values extends FieldValues, Input>(props: SaveFormProps<Values, Input>) {
  const { form, label, verb, edit, fieldOf, onSave, actions, children } = props;
  const { isSubmitting, submitCount } = form.formState;
  const unsaved = useUnsaved(form, { edit });
  const element = useFirstError(submitCount);
  const [failure, setFailure] = useState<string | null>(null);
  const submit = form.handleSubmit(async (input) => {
    setFailure(null);
    try {
      await onSave(input);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, fieldOf));
    }
  });
  return (
    <FormProvider {...form}>
      <form
        ref={element}
        aria-label={label}
        noValidate
        onSubmit={submit}
        className="grid max-w-[640px] content-start gap-6"
      >
        {unsaved}
        {children}
        <FormProblem>{failure}</FormProblem>
        <div className="flex flex-wrap items-center gap-2 border-t pt-5">
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {verb}
          </Button>
          {actions}
        </div>
      </form>
    </FormProvider>
  );
}
