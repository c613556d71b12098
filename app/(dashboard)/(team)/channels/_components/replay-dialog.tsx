'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { formatCount } from '@/app/_components/format';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { localAt, toStretch } from '@/app/_components/time/local-time';
import { useChosenTimeZone } from '@/app/_components/time/time-zone';
import { Button } from '@/app/_components/ui/button';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError, toFieldErrors } from '@/app/_trpc/errors';
import { DAY_MS, MINUTE_MS } from '@/server/time/schema';

const toForm = (timeZone: string) =>
  z
    .object({
      from: z.string().min(1, 'Enter a start time.'),
      to: z.string().min(1, 'Enter an end time.'),
      includeDelivered: z.boolean(),
    })
    .superRefine(({ from, to }, ctx) => {
      if (from === '' || to === '') return;
      const stretch = toStretch({ from, to }, timeZone);
      const message = stretch ? 'Enter a time after the start.' : 'Enter a date and time.';
      if (!stretch || stretch.to <= stretch.from) ctx.addIssue({ code: 'custom', path: ['to'], message });
    });

interface Span {
  id: string;
  from: string;
  to: string;
  includeDelivered: boolean;
}

/** The numbers of replayed and remaining deliveries. */
interface Progress {
  span: Span;
  replayed: number;
  left: number;
  nextCursor: string | null;
}

/** "Replaying 500 deliveries. 120 are left." */
function progressText({ replayed, left }: Progress): string {
  if (replayed === 0 && left === 0) return 'There are no deliveries to replay in this time range.';
  const rest = left === 0 ? 'None are left.' : `${formatCount(left)} ${left === 1 ? 'is' : 'are'} left.`;
  return `Replaying ${formatCount(replayed)} ${replayed === 1 ? 'delivery' : 'deliveries'}. ${rest}`;
}

export interface ReplayDialogProps {
  channelId: string;
  /** When the oldest known failed delivery was created: the default start. */
  oldestFailed: string | undefined;
  onClose: () => void;
}

/** Replays the deliveries of a time range in the page's time zone, and shows how many are left. */
export function ReplayDialog({ channelId, oldestFailed, onClose }: ReplayDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const formId = useId();
  const chosen = useChosenTimeZone();
  const timeZone = chosen ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = timeZone.replaceAll('_', ' ');
  const [failure, setFailure] = useState<string | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const replaying = useMutation(trpc.notifications.replayFailed.mutationOptions());
  const form = useForm({
    resolver: zodResolver(toForm(timeZone)),
    defaultValues: {
      from: localAt(oldestFailed ? Date.parse(oldestFailed) : Date.now() - DAY_MS, timeZone),
      // Includes the current minute.
      to: localAt(Date.now() + MINUTE_MS, timeZone),
      includeDelivered: false,
    },
  });
  const { errors } = form.formState;
  const replay = async (span: Span, before: Progress | null) => {
    const cursor = before?.nextCursor;
    const { replayed, left, nextCursor } = await replaying.mutateAsync({ ...span, ...(cursor && { cursor }) });
    setProgress({ span, replayed: replayed + (before?.replayed ?? 0), left, nextCursor });
    void queryClient.invalidateQueries(trpc.notifications.pathFilter());
  };
  const submit = form.handleSubmit(async ({ from, to, includeDelivered }) => {
    setFailure(null);
    const stretch = toStretch({ from, to }, timeZone);
    if (!stretch) return;
    const times = { from: stretch.from.toISOString(), to: stretch.to.toISOString() };
    try {
      await replay({ id: channelId, ...times, includeDelivered }, null);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, ['from', 'to', 'includeDelivered']));
    }
  });
  const goOn = async (before: Progress) => {
    setFailure(null);
    try {
      await replay(before.span, before);
    } catch (error) {
      setFailure(readApiError(error).message);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Replay deliveries"
      description="Sends the deliveries of a time range again, oldest first, with their original IDs."
      footer={
        <>
          <Button onClick={onClose}>{progress ? 'Close' : 'Cancel'}</Button>
          {progress ? null : (
            <Button type="submit" form={formId} variant="primary" busy={replaying.isPending}>
              Replay deliveries
            </Button>
          )}
          {progress?.nextCursor ? (
            <Button variant="primary" busy={replaying.isPending} onClick={() => void goOn(progress)}>
              Replay more
            </Button>
          ) : null}
        </>
      }
    >
      {progress ? (
        <p role="status" className="pt-2">
          {progressText(progress)}
        </p>
      ) : (
        <form id={formId} aria-label="Replay deliveries" noValidate onSubmit={submit} className="grid gap-4 pt-2">
          <Field label={`From (${zone})`} error={errors.from?.message}>
            <Input type="datetime-local" {...form.register('from')} />
          </Field>
          <Field label={`To (${zone})`} error={errors.to?.message}>
            <Input type="datetime-local" {...form.register('to')} />
          </Field>
          <Controller
            control={form.control}
            name="includeDelivered"
            render={({ field }) => (
              <CheckboxRow
                checked={field.value}
                onCheckedChange={(isOn) => field.onChange(isOn === true)}
                note="if the receiver lost them"
              >
                Include delivered ones
              </CheckboxRow>
            )}
          />
        </form>
      )}
      <FormProblem>{failure}</FormProblem>
    </Dialog>
  );
}
