'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { useSendsMail } from '@/app/_components/instance';
import { roleWords } from '@/app/_components/roles';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError, toFieldErrors } from '@/app/_trpc/errors';
import { InviteInput, isStronger, type NewInvitation, Role } from '@/server/teams/schema';

export interface InviteDialogProps {
  open: boolean;
  /** The strongest role that can be granted. */
  myRole: Role;
  onClose: () => void;
  onInvited: (invitation: NewInvitation) => void;
}

/** Asks for the email address and role of a new member. */
export function InviteDialog({ open, onClose, ...form }: InviteDialogProps) {
  const link = useSendsMail()
    ? 'The invitee gets a link by email.'
    : 'You get a link to share, because this instance does not send email.';
  return (
    <Dialog
      open={open}
      onOpenChange={(opened) => !opened && onClose()}
      title="Invite member"
      description={`${link} Earlier invitations to the same address stop working.`}
    >
      <InviteForm onClose={onClose} {...form} />
    </Dialog>
  );
}

function InviteForm({ myRole, onClose, onInvited }: Omit<InviteDialogProps, 'open'>) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const inviting = useMutation(trpc.teams.invitations.create.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const roleId = useId();
  const sendsMail = useSendsMail();
  const form = useForm({ resolver: zodResolver(InviteInput), defaultValues: { email: '', role: 'member' as Role } });
  const unsaved = useUnsaved(form, { part: 'invitation' });
  const { register, control, handleSubmit, setError, formState } = form;
  const { errors, isSubmitting } = formState;
  const options = Role.options
    .filter((role) => !isStronger(role, myRole))
    .map((role) => ({ value: role, label: roleWords[role].label }));
  const submit = handleSubmit(async (values) => {
    setProblem(null);
    try {
      const { invitation } = await inviting.mutateAsync(values);
      onInvited(invitation);
      await queryClient.invalidateQueries(trpc.teams.invitations.list.pathFilter());
    } catch (error) {
      const { code, message } = readApiError(error);
      if (code === 'ALREADY_MEMBER') setError('email', { message }, { shouldFocus: true });
      else setProblem(toFieldErrors(error, setError, ['email', 'role']));
    }
  });
  return (
    <form aria-label="Invite member" noValidate onSubmit={submit} className="mt-2 grid gap-4">
      {unsaved}
      {problem ? <FieldError>{problem}</FieldError> : null}
      <Field label="Email" error={errors.email?.message}>
        <Input type="email" autoComplete="off" {...register('email')} />
      </Field>
      <Controller
        control={control}
        name="role"
        render={({ field }) => (
          <Field
            id={roleId}
            label="Role"
            error={errors.role?.message}
            help={`This role ${roleWords[field.value].means}.`}
          >
            <Select options={options} value={field.value} onValueChange={field.onChange} />
          </Field>
        )}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {sendsMail ? 'Send invitation' : 'Create invitation'}
        </Button>
      </div>
    </form>
  );
}
