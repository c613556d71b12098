'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Textarea } from '@/app/_components/ui/textarea';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { ForceDeleteInput } from '@/server/admin/schema';

/** Deletes an account after the administrator entered a reason and its email address. */
export function ForceDeleteForm({ userId, email }: { userId: string; email: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    resolver: zodResolver(
      ForceDeleteInput.extend({
        address: z.string().refine((typed) => typed.trim() === email, `Type ${email} to confirm.`),
      }),
    ),
    defaultValues: { userId, reason: '', address: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const deleting = useMutation(trpc.users.forceDelete.mutationOptions());
  const submit = form.handleSubmit(async ({ reason }) => {
    setFailure(null);
    try {
      const { message } = await deleting.mutateAsync({ userId, reason });
      toast(message);
      router.push('/instance/users');
      await queryClient.invalidateQueries({ ...trpc.users.list.pathFilter(), refetchType: 'all' });
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, ['reason']));
    }
  });
  return (
    <form aria-label="Delete account" noValidate onSubmit={submit} className="mt-5 grid max-w-[560px] gap-5">
      <Field label="Reason" error={errors.reason?.message} help="Recorded in the audit log.">
        <Textarea maxLength={1000} {...form.register('reason')} />
      </Field>
      <Field
        label="Confirm email address"
        error={errors.address?.message}
        help={
          <>
            Type <span className="mono">{email}</span> to confirm.
          </>
        }
      >
        <Input mono autoComplete="off" {...form.register('address')} />
      </Field>
      <FormProblem>{failure}</FormProblem>
      <div>
        <Button type="submit" variant="danger" busy={isSubmitting}>
          Delete account
        </Button>
      </div>
    </form>
  );
}
