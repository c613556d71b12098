'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { useSwitchTeam } from '@/app/_components/shell/use-switch-team';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';

export interface DeleteTeamFormProps {
  team: { id: string; name: string };
  subscribed: boolean;
  /** The team to switch to afterwards; null if there is none. */
  next: { id: string; name: string } | null;
}

/** Deletes the team after the user typed its name. */
export function DeleteTeamForm({ team: { id: teamId, name }, subscribed, next }: DeleteTeamFormProps) {
  const trpc = useTRPC();
  const { switchTo, isSwitching } = useSwitchTeam();
  const [problem, setProblem] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { name: '' },
  });
  const deleting = useMutation(trpc.teamRemoval.delete.mutationOptions());
  const submit = handleSubmit(async (values) => {
    setProblem(null);
    try {
      await deleting.mutateAsync({ teamId, ...values });
      // Everything on the page belongs to the team, so reload it.
      if (next) switchTo(next.id);
      else window.location.assign('/monitors');
    } catch (error) {
      setProblem(toFieldErrors(error, setError, ['name']));
    }
  });
  return (
    <form aria-label="Delete team" noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-muted">
        This deletes its monitors and their history, incidents, channels, status pages, API keys and invitations
        immediately, for all members. It cannot be undone.
        {subscribed ? ' The subscription is cancelled.' : ''}
        {next ? ` You will switch to “${next.name}”.` : ' You are not in any other team.'}
      </p>
      <FormProblem>{problem}</FormProblem>
      <Field
        label="Confirm team name"
        error={formState.errors.name?.message}
        help={
          <>
            Type <span className="font-medium [overflow-wrap:anywhere]">{name}</span> to confirm.
          </>
        }
      >
        <Input
          autoComplete="off"
          {...register('name', { validate: (typed) => typed.trim() === name || `Type ${name} to confirm.` })}
        />
      </Field>
      <Button
        type="submit"
        variant="danger"
        className="justify-self-start"
        busy={formState.isSubmitting || deleting.isSuccess || isSwitching}
      >
        Delete team
      </Button>
    </form>
  );
}
