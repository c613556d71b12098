'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { lazyResolver } from '@/app/_components/forms/lazy-resolver';
import { linkClass } from '@/app/_components/page';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError, toFieldErrors } from '@/app/_trpc/errors';
import { AccountFields, checkedOnLeaving } from '@/app/(auth)/_components/account-fields';
import { prepareSignIn, signInWithPassword } from '@/app/(auth)/_components/sign-in';

const fields = ['email', 'password', 'name', 'teamName'] as const;

/**
 * Creates an account and signs in.
 * @param next the path to open afterwards
 */
export function SignUpForm({ next }: { next: string }) {
  const trpc = useTRPC();
  const signUp = useMutation(trpc.auth.signUp.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const [isClosed, setIsClosed] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const { register, handleSubmit, setError, trigger, formState } = useForm({
    resolver: lazyResolver(async () => (await import('@/server/auth/schema')).SignUpInput),
    defaultValues: { email: '', password: '', name: '', teamName: '' },
  });
  useEffect(prepareSignIn, []);
  const { errors, isSubmitting } = formState;
  const field = checkedOnLeaving({ register, trigger });
  const submit = handleSubmit(async (values) => {
    setProblem(null);
    try {
      await signUp.mutateAsync(values);
    } catch (error) {
      const { code, message } = readApiError(error);
      if (code === 'ACCOUNT_EXISTS') setError('email', { message }, { shouldFocus: true });
      else if (code === 'FORBIDDEN') setIsClosed(true);
      else setProblem(toFieldErrors(error, setError, fields));
      return;
    }
    setIsDone(true);
    const signedIn = await signInWithPassword(values.email, values.password);
    window.location.assign(signedIn.kind === 'done' ? next : `/login?next=${encodeURIComponent(next)}`);
  });
  const toLogin = (
    <p className="text-muted">
      Already have an account?{' '}
      <Link href={`/login?next=${encodeURIComponent(next)}`} className={linkClass}>
        Sign in
      </Link>
      .
    </p>
  );
  if (isClosed) {
    return (
      <>
        <Alert state="paused" role="alert" title="Sign-up is by invitation only">
          Ask a member of your team for an invitation, then open its link.
        </Alert>
        {toLogin}
      </>
    );
  }
  return (
    <>
      <form aria-label="Create an account" method="post" noValidate onSubmit={submit} className="grid gap-4">
        <FormProblem>{problem}</FormProblem>
        <AccountFields field={field} errors={errors} />
        <Field
          label="Team name"
          optional
          error={errors.teamName?.message}
          help="Monitors belong to a team. You can invite people later."
        >
          <Input autoComplete="organization" {...field('teamName')} />
        </Field>
        <Button type="submit" variant="primary" size="large" busy={isSubmitting || isDone}>
          Create account
        </Button>
      </form>
      {toLogin}
    </>
  );
}
