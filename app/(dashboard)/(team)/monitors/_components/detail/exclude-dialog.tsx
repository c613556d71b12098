'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Unsaved } from '@/app/_components/forms/use-unsaved';
import { whenTouched } from '@/app/_components/forms/when-touched';
import { toStretch } from '@/app/_components/time/local-time';
import { useChosenTimeZone } from '@/app/_components/time/time-zone';
import { toast } from '@/app/_components/toast/toast';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Textarea } from '@/app/_components/ui/textarea';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { exclusionForm, suggestedStretch } from './exclusion-form';

export interface ExcludeDialogProps {
  monitorId: string;
  /** Recent outages, offered as defaults; newest last. */
  outages: readonly { from: string; to: string | null }[];
  open: boolean;
  onClose: () => void;
}

/** Form for an exclusion: a time range and a reason. Times are in the time zone of the page. */
export function ExcludeDialog({ monitorId, outages, open, onClose }: ExcludeDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const formId = useId();
  const chosen = useChosenTimeZone();
  const timeZone = chosen ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [failure, setFailure] = useState<string | null>(null);
  const excluding = useMutation(trpc.exclusions.create.mutationOptions());
  const form = useForm({
    resolver: zodResolver(exclusionForm(timeZone)),
    ...whenTouched,
    defaultValues: { from: '', to: '', reason: '' },
  });
  const { register, formState } = form;
  const { errors, isSubmitting } = formState;
  const suggested = useRef(() => suggestedStretch(outages, timeZone));
  suggested.current = () => suggestedStretch(outages, timeZone);
  useEffect(() => {
    if (open) form.reset({ ...suggested.current(), reason: '' });
  }, [open, form]);
  const zone = timeZone.replaceAll('_', ' ');
  const close = () => {
    form.reset();
    setFailure(null);
    onClose();
  };
  const submit = form.handleSubmit(async ({ from, to, reason }) => {
    setFailure(null);
    const stretch = toStretch({ from, to }, timeZone);
    if (!stretch) return;
    try {
      const times = { from: stretch.from.toISOString(), to: stretch.to.toISOString() };
      await excluding.mutateAsync({ id: monitorId, ...times, reason });
      toast('Excluded from uptime');
      close();
      await queryClient.invalidateQueries(trpc.exclusions.pathFilter());
      await queryClient.invalidateQueries(trpc.monitors.pathFilter());
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, ['from', 'to', 'reason']));
    }
  });
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title="Exclude time from uptime"
      description="Excluded time counts as neither up nor down. The exclusion is listed with your name and the reason."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={isSubmitting}>
            Exclude
          </Button>
        </>
      }
    >
      <form
        id={formId}
        aria-label="Exclude time from uptime"
        noValidate
        onSubmit={submit}
        className="mt-2 grid content-start gap-4"
      >
        <Unsaved form={form} part="exclusion" toDraft={null} />
        <Field label={`From (${zone})`} error={errors.from?.message}>
          <Input type="datetime-local" {...register('from')} />
        </Field>
        <Field label={`To (${zone})`} error={errors.to?.message}>
          <Input type="datetime-local" {...register('to')} />
        </Field>
        <Field label="Reason" error={errors.reason?.message}>
          <Textarea rows={2} placeholder="Planned failover test" {...register('reason')} />
        </Field>
        {failure ? (
          <Alert state="down" role="alert">
            {failure}
          </Alert>
        ) : null}
      </form>
    </Dialog>
  );
}
