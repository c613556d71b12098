'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { lazyResolver } from '@/app/_components/forms/lazy-resolver';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { useSendsMail } from '@/app/_components/instance';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';

const fields = ['email', 'currentPassword'] as const;

/** Requests a change of the sign-in email address; the new address must confirm it. */
export function EmailForm({ email }: { email: string }) {
  const trpc = useTRPC();
  const request = useMutation(trpc.auth.requestEmailChange.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    resolver: lazyResolver(async () => (await import('@/server/auth/schema')).RequestEmailChangeInput),
    defaultValues: { email: '', currentPassword: '' },
  });
  const unsaved = useUnsaved(form, { part: 'email', toDraft: (values) => ({ ...values, currentPassword: '' }) });
  const { register, handleSubmit, setError, reset, formState } = form;
  const { errors, isSubmitting } = formState;
  const sendsMail = useSendsMail();
  const submit = handleSubmit(async (input) => {
    setProblem(null);
    try {
      await request.mutateAsync(input);
      setSentTo(input.email);
      reset();
    } catch (error) {
      setProblem(toFieldErrors(error, setError, fields));
    }
  });
  return (
    <form aria-label="Change email address" method="post" noValidate onSubmit={submit} className="grid gap-4">
      {unsaved}
      <FormProblem>{problem}</FormProblem>
      <p className="text-muted">
        You sign in with <span className="text-default">{email}</span>.
      </p>
      {sentTo ? (
        <p role="status">
          {sendsMail
            ? 'We sent a confirmation link to '
            : 'This instance does not send email. The administrator has the link for '}
          <strong>{sentTo}</strong>. Open it within an hour to confirm the change.
        </p>
      ) : null}
      <Field label="New email address" error={errors.email?.message}>
        <Input type="email" autoComplete="email" {...register('email')} />
      </Field>
      <Field label="Current password" error={errors.currentPassword?.message}>
        <Input type="password" autoComplete="current-password" {...register('currentPassword')} />
      </Field>
      <Button type="submit" className="justify-self-start" busy={isSubmitting}>
        Send confirmation link
      </Button>
    </form>
  );
}
