'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { lazyResolver } from '@/app/_components/forms/lazy-resolver';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';

/** The team's name; owners and admins can change it. */
export function RenameTeamForm({ name, mayRename }: { name: string; mayRename: boolean }) {
  const trpc = useTRPC();
  const router = useRouter();
  const renaming = useMutation(trpc.teams.rename.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    resolver: lazyResolver(async () => (await import('@/server/teams/schema')).TeamInput),
    defaultValues: { name },
  });
  const unsaved = useUnsaved(form, { part: 'name' });
  const { register, handleSubmit, setError, reset, formState } = form;
  if (!mayRename) {
    return (
      <p>
        {name}
        <span className="block text-small text-muted">Owners and admins can rename the team.</span>
      </p>
    );
  }
  const submit = handleSubmit(async (values) => {
    setProblem(null);
    try {
      const { team } = await renaming.mutateAsync(values);
      reset({ name: team.name });
      router.refresh();
      toast('Team renamed');
    } catch (error) {
      setProblem(toFieldErrors(error, setError, ['name']));
    }
  });
  return (
    <form aria-label="Rename team" noValidate onSubmit={submit} className="grid gap-4">
      {unsaved}
      <FormProblem>{problem}</FormProblem>
      <Field label="Name" error={formState.errors.name?.message} help="Shown to members and in invitations.">
        <Input autoComplete="organization" maxLength={100} {...register('name')} />
      </Field>
      <Button type="submit" variant="primary" className="justify-self-start" busy={formState.isSubmitting}>
        Rename team
      </Button>
    </form>
  );
}
