'use client';

import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { lazyResolver } from '@/app/_components/forms/lazy-resolver';
import { NewPasswordField } from '@/app/_components/forms/new-password-field';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { prepareSignIn, signInWithPassword } from '@/app/(auth)/_components/sign-in';

const fields = ['currentPassword', 'newPassword'] as const;

/** Changes the password. This ends all sessions, so it signs in again with the new password. */
export function PasswordForm({ email }: { email: string }) {
  const trpc = useTRPC();
  const change = useMutation(trpc.auth.changePassword.mutationOptions());
  const switchTeam = useMutation(trpc.auth.switchTeam.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    resolver: lazyResolver(async () => (await import('./password-fields')).PasswordFields),
    defaultValues: { currentPassword: '', newPassword: '', again: '' },
  });
  useEffect(prepareSignIn, []);
  const unsaved = useUnsaved(form, { part: 'password', toDraft: null });
  const { register, handleSubmit, setError, reset, formState } = form;
  const { errors, isSubmitting } = formState;

  /** Signs in again and switches back to the same team, because a sign-in selects the team last used on any device. */
  async function signInAgain(password: string, teamId: string | null): Promise<void> {
    const signedIn = await signInWithPassword(email, password);
    if (signedIn.kind !== 'done') return window.location.assign('/login?next=/settings/account');
    if (teamId) await switchTeam.mutateAsync({ teamId });
    reset();
    toast('Password changed. Other sessions were signed out.');
  }

  const submit = handleSubmit(async ({ again: _again, ...passwords }) => {
    setProblem(null);
    try {
      const { teamId } = await change.mutateAsync(passwords);
      reset();
      await signInAgain(passwords.newPassword, teamId);
    } catch (error) {
      setProblem(toFieldErrors(error, setError, fields));
    }
  });

  return (
    <form aria-label="Change password" method="post" noValidate onSubmit={submit} className="grid gap-4">
      {unsaved}
      <FormProblem>{problem}</FormProblem>
      <p className="text-muted">This signs you out of all other browsers and scripts. API keys are not affected.</p>
      {/* Password managers store passwords by email address. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Current password" error={errors.currentPassword?.message}>
        <Input type="password" autoComplete="current-password" {...register('currentPassword')} />
      </Field>
      <NewPasswordField
        label="New password"
        error={errors.newPassword?.message}
        registration={register('newPassword')}
      />
      <Field label="Confirm new password" error={errors.again?.message}>
        <Input type="password" autoComplete="new-password" {...register('again')} />
      </Field>
      <Button type="submit" variant="primary" className="justify-self-start" busy={isSubmitting}>
        Change password
      </Button>
    </form>
  );
}
