'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { formatLatency } from '@/app/_components/format';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import type { Channel, ChannelType, CreateChannelInput, TestResult } from '@/server/notifications/schema';
import { type ChannelFields, channelFieldOf, toChannelInput } from './channel-model';
import { ExchangePanes } from './exchanges';

interface SendTestProps {
  type: ChannelType;
  form: UseFormReturn<ChannelFields, unknown, CreateChannelInput>;
  /** The edited channel; undefined for a new one. */
  channel: Channel | undefined;
  /** Whether the form is for a contact method of the user. */
  isOwn: boolean;
}

/** Tests the saved channel if the form has no changes, so that the test is listed in its deliveries. */
function useSending({ type, form, channel, isOwn }: SendTestProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const saved = useMutation(trpc.notifications.test.mutationOptions());
  const typed = useMutation(trpc.notifications.testSettings.mutationOptions());
  const own = useMutation(trpc.contactMethods.testSettings.mutationOptions());
  const { isDirty } = form.formState;
  return async (): Promise<TestResult | null> => {
    if (channel && !isDirty && !isOwn) {
      const { delivery, note } = await saved.mutateAsync({ id: channel.id });
      void queryClient.invalidateQueries(trpc.notifications.deliveries.pathFilter());
      const last = delivery.attempts.at(-1);
      return last ? { ...last, isDelivered: delivery.status === 'delivered', note, exchange: null } : null;
    }
    const { config } = toChannelInput(type, form.getValues());
    const input = channel ? { id: channel.id, config } : { type, config };
    return (await (isOwn ? own : typed).mutateAsync(input)).result;
  };
}

type Shown = { result: TestResult | null } | { failure: string };

/** Sends a test with the values of the form, saved or not, and shows the receiver's response. */
export function SendTest(props: SendTestProps) {
  const { type, form, channel } = props;
  const send = useSending(props);
  const [shown, setShown] = useState<Shown | null>(null);
  const sending = useMutation({
    mutationFn: send,
    onMutate: () => {
      setShown(null);
      form.clearErrors('config');
    },
    onSuccess: (result) => setShown({ result }),
    onError: (error) => {
      const failure = toFieldErrors(error, form.setError, (path) => channelFieldOf(path, type));
      if (failure) setShown({ failure });
    },
  });
  const isSaved = channel && !form.formState.isDirty;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button busy={sending.isPending} onClick={() => sending.mutate()}>
          {sending.isPending ? null : <Icon name="channels" />}
          Send test
        </Button>
        <span className="text-small text-muted">
          {isSaved ? 'Sends a test message with the saved settings.' : 'Uses these settings. Nothing is saved.'}
        </span>
      </div>
      {shown && 'failure' in shown ? (
        <Alert state="down" role="alert" title="The test could not be sent">
          {shown.failure}
        </Alert>
      ) : null}
      {shown && 'result' in shown ? <Result result={shown.result} /> : null}
    </div>
  );
}

function Result({ result }: { result: TestResult | null }) {
  if (!result) {
    return (
      <Alert state="pending" role="status" title="Sending">
        The result appears under Deliveries.
      </Alert>
    );
  }
  const { isDelivered, statusCode, error, durationMs, note, exchange } = result;
  const answer = statusCode === null ? null : `Response status ${statusCode}.`;
  return (
    <>
      {isDelivered ? (
        <Alert state="up" role="status" title={`Delivered in ${formatLatency(durationMs)}`}>
          {[answer, note].filter(Boolean).join(' ')}
        </Alert>
      ) : (
        <Alert state="down" role="alert" title={`Not delivered after ${formatLatency(durationMs)}`}>
          {error ?? answer}
        </Alert>
      )}
      {exchange ? <ExchangePanes exchange={exchange} /> : null}
    </>
  );
}
