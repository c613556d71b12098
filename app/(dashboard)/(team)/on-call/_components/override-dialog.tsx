'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { localAt, momentsOf } from '@/app/_components/time/local-time';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import type { Override, Schedule } from '@/server/on-call/schema';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';
import { usePeople } from './use-people';

const Fields = z.object({
  userId: z.string().min(1, 'Choose a person.'),
  startsAt: z.string().min(1, 'Enter a start time.'),
  endsAt: z.string().min(1, 'Enter an end time.'),
  reason: z.string().trim().max(200, 'Use at most 200 characters.'),
});
type Fields = z.infer<typeof Fields>;

export interface OverrideDialogProps {
  schedule: Schedule;
  /** The override to edit; without it, the dialog adds a new one. */
  override?: Override;
  onClose: () => void;
}

/** Adds or edits an override. Times are in the schedule's time zone. */
export function OverrideDialog({ schedule, override, onClose }: OverrideDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const people = usePeople() ?? [];
  const { id, timezone } = schedule;
  const start = (Math.floor(Date.now() / HOUR_MS) + 1) * HOUR_MS;
  const form = useForm<Fields>({
    defaultValues: {
      userId: override?.user.id ?? '',
      startsAt: localAt(override ? Date.parse(override.startsAt) : start, timezone),
      endsAt: localAt(override ? Date.parse(override.endsAt) : start + DAY_MS, timezone),
      reason: override?.reason ?? '',
    },
    resolver: zodResolver(Fields),
  });
  const { dirtyFields, errors, isSubmitting } = form.formState;
  const creating = useMutation(trpc.onCall.createOverride.mutationOptions());
  const updating = useMutation(trpc.onCall.updateOverride.mutationOptions());
  const [failure, setFailure] = useState<string | null>(null);
  const momentOf = (local: string) => momentsOf(local, timezone)[0]?.toISOString() ?? local;
  const submit = form.handleSubmit(async ({ userId, startsAt, endsAt, reason }) => {
    setFailure(null);
    const fields = { userId, startsAt: momentOf(startsAt), endsAt: momentOf(endsAt), reason: reason || null };
    try {
      if (override) {
        // An unchanged time keeps its seconds, and which occurrence of a repeated hour it is.
        const changed = Object.entries(fields).filter(([name]) => dirtyFields[name as keyof Fields]);
        if (changed.length > 0) {
          await updating.mutateAsync({ id, overrideId: override.id, ...Object.fromEntries(changed) });
        }
      } else await creating.mutateAsync({ id, ...fields });
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, ['userId', 'startsAt', 'endsAt', 'reason']));
      return;
    }
    toast(override ? 'Override saved' : 'Override added');
    void queryClient.invalidateQueries(trpc.onCall.pathFilter());
    onClose();
  });
  const title = override ? 'Edit override' : 'Add override';
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={`An override replaces the layers of the schedule. Times are in ${timezone.replaceAll('_', ' ')}.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isSubmitting} onClick={() => void submit()}>
            {override ? 'Save changes' : 'Add override'}
          </Button>
        </>
      }
    >
      <form aria-label={title} noValidate onSubmit={submit} className="grid gap-4 pt-2">
        <Field label="Person" error={errors.userId?.message}>
          <Controller
            control={form.control}
            name="userId"
            render={({ field }) => (
              <Select
                options={people.map(({ user }) => ({ value: user.id, label: user.name }))}
                value={field.value}
                onValueChange={field.onChange}
              />
            )}
          />
        </Field>
        <Field label="Start" error={errors.startsAt?.message}>
          <Input type="datetime-local" {...form.register('startsAt')} />
        </Field>
        <Field label="End" error={errors.endsAt?.message}>
          <Input type="datetime-local" {...form.register('endsAt')} />
        </Field>
        <Field label="Reason" optional error={errors.reason?.message}>
          <Input autoComplete="off" placeholder="Vacation" {...form.register('reason')} />
        </Field>
        <FormProblem>{failure}</FormProblem>
      </form>
    </Dialog>
  );
}
