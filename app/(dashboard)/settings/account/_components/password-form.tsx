'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { toast } from '@/app/_components/toasts';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { FormProblem } from '@/app/_components/ui/form-problem';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { signInWithPassword } from '@/app/(auth)/_components/sign-in';
import { ChangePasswordInput } from '@/server/auth/schema';

const fields = ['currentPassword', 'newPassword'] as const;

/** Nobody can help with a password that was mistyped once, so it is typed twice. */
const Typed = ChangePasswordInput.extend({ again: z.string() }).refine(
  ({ newPassword, again }) => newPassword === again,
  { path: ['again'], message: 'The passwords do not match.' },
);

/** Changes the password. That ends every session of the person, so this one is opened again with the new password. */
export function PasswordForm({ email }: { email: string }) {
  const trpc = useTRPC();
  const change = useMutation(trpc.auth.changePassword.mutationOptions());
  const switchTeam = useMutation(trpc.auth.switchTeam.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: zodResolver(Typed),
    defaultValues: { currentPassword: '', newPassword: '', again: '' },
  });
  const { errors, isSubmitting } = formState;

  /** Comes back in, to the same team: signing in chooses the one last used, on any device. */
  async function comeBack(password: string, teamId: string | null): Promise<void> {
    const signedIn = await signInWithPassword(email, password);
    if (signedIn.kind !== 'done') return window.location.assign('/login?next=/settings/account');
    if (teamId) await switchTeam.mutateAsync({ teamId });
    reset();
    toast({ message: 'Password changed. Other sessions have ended.' });
  }

  const submit = handleSubmit(async ({ again: _again, ...passwords }) => {
    setProblem(null);
    try {
      const { teamId } = await change.mutateAsync(passwords);
      await comeBack(passwords.newPassword, teamId);
    } catch (error) {
      setProblem(toFieldErrors(error, setError, fields));
    }
  });

  return (
    <form aria-label="Change the password" method="post" noValidate onSubmit={submit} className="grid gap-4">
      <FormProblem>{problem}</FormProblem>
      <p className="text-muted">
        Every other browser and script that is signed in has to sign in again. API keys stay.
      </p>
      {/* For password managers, which keep a password under an address. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Current password" error={errors.currentPassword?.message}>
        <Input type="password" autoComplete="current-password" {...register('currentPassword')} />
      </Field>
      <Field
        label="New password"
        error={errors.newPassword?.message}
        help="10 characters or more. A few words in a row work well."
      >
        <Input type="password" autoComplete="new-password" {...register('newPassword')} />
      </Field>
      <Field label="New password again" error={errors.again?.message}>
        <Input type="password" autoComplete="new-password" {...register('again')} />
      </Field>
      <Button type="submit" variant="primary" className="justify-self-start" busy={isSubmitting}>
        Change password
      </Button>
    </form>
  );
}
