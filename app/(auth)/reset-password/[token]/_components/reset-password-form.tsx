'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { lazyResolver } from '@/app/_components/forms/lazy-resolver';
import { NewPasswordField } from '@/app/_components/forms/new-password-field';
import { linkClass } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError, toFieldErrors } from '@/app/_trpc/errors';
import { prepareSignIn, signInWithPassword } from '@/app/(auth)/_components/sign-in';

/** Sets a new password with the token of a link, then signs in. */
export function ResetPasswordForm({ token }: { token: string }) {
  const trpc = useTRPC();
  const reset = useMutation(trpc.auth.resetPassword.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: lazyResolver(async () => (await import('@/server/auth/schema')).ResetPasswordInput),
    defaultValues: { token, newPassword: '' },
  });
  useEffect(prepareSignIn, []);
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (input) => {
    setProblem(null);
    try {
      const { email } = await reset.mutateAsync(input);
      const signedIn = await signInWithPassword(email, input.newPassword);
      window.location.assign(signedIn.kind === 'done' ? '/monitors' : '/login');
    } catch (error) {
      const spent = readApiError(error).issues?.find(({ path }) => path === 'token');
      setProblem(spent?.message ?? toFieldErrors(error, setError, ['newPassword'] as const));
    }
  });
  return (
    <>
      <form aria-label="Choose a new password" method="post" noValidate onSubmit={submit} className="grid gap-4">
        <FormProblem>{problem}</FormProblem>
        <p className="text-muted">This signs you out of all browsers and scripts.</p>
        <NewPasswordField
          label="New password"
          error={errors.newPassword?.message}
          registration={register('newPassword')}
        />
        <Button type="submit" variant="primary" size="large" busy={isSubmitting}>
          Set new password
        </Button>
      </form>
      <p className="text-muted">
        Link not working?{' '}
        <Link href="/forgot-password" className={linkClass}>
          Request a new one
        </Link>
      </p>
    </>
  );
}
