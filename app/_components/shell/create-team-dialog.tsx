'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { useSwitchTeam } from '@/app/_components/shell/use-switch-team';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { TeamInput } from '@/server/teams/schema';

export interface CreateTeamDialogProps {
  open: boolean;
  onClose: () => void;
}

/** Creates a team and switches to it. */
export function CreateTeamDialog({ open, onClose }: CreateTeamDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(opened) => !opened && onClose()}
      title="Create a team"
      description="A team has its own monitors, channels and members. You become its owner and switch to it."
    >
      <CreateTeamForm onClose={onClose} />
    </Dialog>
  );
}

function CreateTeamForm({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const { switchTo, isSwitching } = useSwitchTeam();
  const creating = useMutation(trpc.teams.create.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({ resolver: zodResolver(TeamInput), defaultValues: { name: '' } });
  const unsaved = useUnsaved(form, { part: 'team' });
  const { register, handleSubmit, reset, setError, formState } = form;
  const submit = handleSubmit(async (values) => {
    setProblem(null);
    try {
      const { team } = await creating.mutateAsync(values);
      reset(values);
      switchTo(team.id);
    } catch (error) {
      setProblem(toFieldErrors(error, setError, ['name']));
    }
  });
  return (
    <form aria-label="Create a team" noValidate onSubmit={submit} className="mt-2 grid gap-4">
      {unsaved}
      <FormProblem>{problem}</FormProblem>
      <Field label="Team name" error={formState.errors.name?.message}>
        <Input autoComplete="organization" maxLength={100} {...register('name')} />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={formState.isSubmitting || isSwitching}>
          Create team
        </Button>
      </div>
    </form>
  );
}
