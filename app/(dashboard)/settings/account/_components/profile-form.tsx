'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';

const BROWSER = 'browser';
const options = [
  { value: BROWSER, label: 'Same as this browser' },
  { value: 'UTC', label: 'UTC' },
  ...Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
];

/** The user's name and time zone. */
export function ProfileForm({ name, timeZone }: { name: string | null; timeZone: string | null }) {
  const trpc = useTRPC();
  const router = useRouter();
  const update = useMutation(trpc.auth.updateProfile.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({ defaultValues: { name: name ?? '', timeZone: timeZone ?? BROWSER } });
  const unsaved = useUnsaved(form, { part: 'profile' });
  const { register, handleSubmit, setError, setValue, watch, reset, formState } = form;
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (values) => {
    setProblem(null);
    try {
      await update.mutateAsync({
        name: values.name,
        timeZone: values.timeZone === BROWSER ? null : values.timeZone,
      });
      reset(values);
      router.refresh();
      toast('Profile saved');
    } catch (error) {
      setProblem(toFieldErrors(error, setError, ['name', 'timeZone'] as const));
    }
  });
  return (
    <form aria-label="Profile" method="post" noValidate onSubmit={submit} className="grid gap-4">
      {unsaved}
      <FormProblem>{problem}</FormProblem>
      <Field label="Name" optional error={errors.name?.message}>
        <Input autoComplete="name" {...register('name')} />
      </Field>
      <Field label="Time zone" error={errors.timeZone?.message} help="The dashboard shows times in this zone.">
        <Select
          options={options}
          value={watch('timeZone')}
          onValueChange={(zone) => setValue('timeZone', zone, { shouldDirty: true })}
        />
      </Field>
      <Button type="submit" variant="primary" className="justify-self-start" busy={isSubmitting}>
        Save profile
      </Button>
    </form>
  );
}
