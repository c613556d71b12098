'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { lazyResolver } from '@/app/_components/forms/lazy-resolver';
import { linkClass } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';

/** Requests a reset link. The message does not reveal whether an account exists. */
export function ForgotPasswordForm({ sendsMail }: { sendsMail: boolean }) {
  const trpc = useTRPC();
  const request = useMutation(trpc.auth.requestPasswordReset.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: lazyResolver(async () => (await import('@/server/auth/schema')).RequestPasswordResetInput),
    defaultValues: { email: '' },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (input) => {
    setProblem(null);
    try {
      await request.mutateAsync(input);
      setSentTo(input.email);
    } catch (error) {
      setProblem(toFieldErrors(error, setError, ['email'] as const));
    }
  });
  if (sentTo) {
    return (
      <div role="status" className="grid gap-3">
        <p>
          If an account exists for <strong>{sentTo}</strong>,{' '}
          {sendsMail
            ? 'we sent it a link to reset the password. The link expires in one hour.'
            : 'the instance administrator now has a link to reset the password. The link expires in one hour.'}
        </p>
        <p className="text-muted">
          {sendsMail
            ? 'No email after a few minutes? Check your spam folder or ask your instance administrator for a reset link.'
            : 'This instance does not send email. Ask the administrator for the link.'}
        </p>
        <Link href="/login" className={linkClass}>
          Back to sign in
        </Link>
      </div>
    );
  }
  return (
    <>
      <form aria-label="Reset your password" method="post" noValidate onSubmit={submit} className="grid gap-4">
        <FormProblem>{problem}</FormProblem>
        <Field
          label="Email"
          error={errors.email?.message}
          help={
            sendsMail
              ? 'We will email you a link to choose a new password.'
              : 'This instance does not send email. The administrator receives the link and can share it with you.'
          }
        >
          <Input type="email" autoComplete="username" {...register('email')} />
        </Field>
        <Button type="submit" variant="primary" size="large" busy={isSubmitting}>
          {sendsMail ? 'Send reset link' : 'Request reset link'}
        </Button>
      </form>
      <p className="text-muted">
        <Link href="/login" className={linkClass}>
          Back to sign in
        </Link>
      </p>
    </>
  );
}
