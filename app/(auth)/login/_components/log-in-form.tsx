'use client';

import Link from 'next/link';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { cn } from '@/app/_components/cn';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { lazyResolver } from '@/app/_components/forms/lazy-resolver';
import { linkClass } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { prepareSignIn, signInWithPassword } from '@/app/(auth)/_components/sign-in';

/** @param next the path to open after signing in */
export function LogInForm({ next }: { next: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isDone, setIsDone] = useState(false);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: lazyResolver(async () => (await import('@/server/auth/schema')).LogInInput),
    defaultValues: { email: '', password: '' },
  });
  useEffect(prepareSignIn, []);
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ email, password }) => {
    setProblem(null);
    const result = await signInWithPassword(email, password);
    if (result.kind === 'done') {
      setIsDone(true);
      window.location.assign(next);
    } else if (result.kind === 'wrong') {
      setError('password', { message: 'Incorrect email or password.' }, { shouldFocus: true });
    } else {
      setProblem(result.message);
    }
  });
  return (
    <>
      <form aria-label="Sign in" method="post" noValidate onSubmit={submit} className="grid gap-4">
        <FormProblem>{problem}</FormProblem>
        <Field label="Email" error={errors.email?.message}>
          <Input type="email" autoComplete="username" {...register('email')} />
        </Field>
        <Field
          label="Password"
          error={errors.password?.message}
          aside={
            <Link href="/forgot-password" className={cn(linkClass, 'text-small')}>
              Forgot password?
            </Link>
          }
        >
          <Input type="password" autoComplete="current-password" {...register('password')} />
        </Field>
        <Button type="submit" variant="primary" size="large" busy={isSubmitting || isDone}>
          Sign in
        </Button>
      </form>
      <p className="text-muted">
        Don’t have an account?{' '}
        <Link href={`/signup?next=${encodeURIComponent(next)}`} className={linkClass}>
          Sign up
        </Link>
        . Invited? Open your invitation link.
      </p>
    </>
  );
}
