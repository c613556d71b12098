'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { endSession } from '@/app/_components/end-session';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { lazyResolver } from '@/app/_components/forms/lazy-resolver';
import { linkClass } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { type ApiError, readApiError, toFieldErrors } from '@/app/_trpc/errors';
import { AccountFields, checkedOnLeaving } from '@/app/(auth)/_components/account-fields';
import { prepareSignIn, signInWithPassword } from '@/app/(auth)/_components/sign-in';
import type { NewAccount } from '@/server/teams/schema';

export interface NewAccountFormProps {
  token: string;
  /** The invited address, as the default. */
  email: string;
  onRefused: (error: ApiError) => boolean;
}

const fields = ['email', 'password', 'name'] as const;

/** Joins with a new account, then signs in. */
export function NewAccountForm({ token, email, onRefused }: NewAccountFormProps) {
  const trpc = useTRPC();
  const { mutateAsync } = useMutation(trpc.teams.invitations.accept.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const [isDone, setIsDone] = useState(false);
  const { register, handleSubmit, setError, trigger, formState } = useForm({
    resolver: lazyResolver(async () => (await import('@/server/teams/schema')).NewAccount),
    defaultValues: { email, password: '', name: '' },
  });
  useEffect(prepareSignIn, []);
  const { errors, isSubmitting } = formState;
  const toLogin = `/login?next=${encodeURIComponent(`/invite/${token}`)}`;

  async function accept(account: NewAccount) {
    try {
      await mutateAsync({ token, ...account });
    } catch (error) {
      if (readApiError(error).code !== 'UNAUTHENTICATED') throw error;
      // The browser still sends the cookie of an expired session: sign out, then retry anonymously.
      await endSession();
      await mutateAsync({ token, ...account });
    }
  }

  const submit = handleSubmit(async (account) => {
    setProblem(null);
    try {
      await accept(account);
    } catch (thrown) {
      const error = readApiError(thrown);
      if (error.code === 'ACCOUNT_EXISTS') {
        setError(
          'email',
          { message: 'An account with this email address already exists. Sign in below.' },
          { shouldFocus: true },
        );
      } else if (!onRefused(error)) {
        setProblem(toFieldErrors(thrown, setError, fields));
      }
      return;
    }
    setIsDone(true);
    const signedIn = await signInWithPassword(account.email, account.password);
    window.location.assign(signedIn.kind === 'done' ? '/monitors' : '/login');
  });

  return (
    <>
      <form aria-label="Create an account and join" method="post" noValidate onSubmit={submit} className="grid gap-4">
        <FormProblem>{problem}</FormProblem>
        <AccountFields field={checkedOnLeaving({ register, trigger })} errors={errors} />
        <Button type="submit" variant="primary" size="large" busy={isSubmitting || isDone}>
          Create account and join
        </Button>
      </form>
      <p className="text-muted">
        Have an account?{' '}
        <Link href={toLogin} className={linkClass}>
          Sign in to join with it
        </Link>
        .
      </p>
    </>
  );
}
