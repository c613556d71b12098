'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatLatency } from '@/app/_components/format';
import { Section } from '@/app/_components/page';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Channel, Delivery } from '@/server/notifications/schema';

/** Sends a test like any notification, and shows the receiver's response. */
export function SendTest({ channel }: { channel: Channel }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const testing = useMutation(
    trpc.notifications.test.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.notifications.deliveries.pathFilter()),
    }),
  );
  return (
    <Section title="Test">
      <p className="mb-3 text-muted">Sends a test message with the saved settings.</p>
      <Button busy={testing.isPending} onClick={() => testing.mutate({ id: channel.id })}>
        {testing.isPending ? null : <Icon name="channels" />}
        Send test
      </Button>
      <div className="mt-3 empty:hidden">
        {testing.data ? <Result delivery={testing.data.delivery} /> : null}
        {testing.error ? (
          <Alert state="down" role="alert" title="The test could not be sent">
            {readApiError(testing.error).message}
          </Alert>
        ) : null}
      </div>
    </Section>
  );
}

function Result({ delivery: { status, attempts } }: { delivery: Delivery }) {
  const last = attempts.at(-1);
  const answer = last?.statusCode ? `Response status ${last.statusCode}.` : null;
  if (status === 'delivered') {
    return (
      <Alert state="up" role="status" title={`Delivered${last ? ` in ${formatLatency(last.durationMs)}` : ''}`}>
        {answer}
      </Alert>
    );
  }
  if (!last) {
    return (
      <Alert state="pending" role="status" title="Sending">
        The result appears under Deliveries.
      </Alert>
    );
  }
  return (
    <Alert state="down" role="alert" title={`Not delivered after ${formatLatency(last.durationMs)}`}>
      {last.error ?? answer}
    </Alert>
  );
}
