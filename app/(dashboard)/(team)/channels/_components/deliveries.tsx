'use client';

import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useId, useState } from 'react';
import { eventName } from '@/app/_components/channels';
import { DeliveryState } from '@/app/_components/delivery-state';
import { FailedQuery } from '@/app/_components/failed-query';
import { formatMs } from '@/app/_components/format';
import { LoadMore } from '@/app/_components/load-more';
import { linkClass, Section } from '@/app/_components/page';
import { Until } from '@/app/_components/time/duration';
import { Timestamp } from '@/app/_components/time/time';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { Icon } from '@/app/_components/ui/icon';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { uniqueById } from '@/app/_components/unique-by-id';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Delivery } from '@/server/notifications/schema';
import { Exchanges } from './exchanges';
import { ReplayDialog } from './replay-dialog';

/** The deliveries of a channel, newest first; each expands to its attempts. */
export function Deliveries({
  channelId,
  isDeleting,
  canWrite,
}: {
  channelId: string;
  isDeleting: boolean;
  canWrite: boolean;
}) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.notifications.deliveries.infiniteQueryOptions(
      { id: channelId, limit: 20 },
      { enabled: !isDeleting, getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const all = query.data?.pages.flatMap((page) => page.deliveries);
  const deliveries = all && uniqueById(all);
  return (
    <Section
      title="Deliveries"
      actions={canWrite && deliveries ? <ReplayMany channelId={channelId} deliveries={deliveries} /> : null}
    >
      {query.isPending ? <RowsLoading rows={3} label="Loading deliveries" /> : null}
      {query.isError && !deliveries ? (
        <FailedQuery query={query} title="Could not load deliveries">
          Notifications are still sent. Only this list is unavailable.
        </FailedQuery>
      ) : null}
      {deliveries?.length === 0 ? (
        <Empty title="No deliveries yet">
          Each delivery appears here with the response of the receiver. Send a test to see one.
        </Empty>
      ) : null}
      {deliveries && deliveries.length > 0 ? (
        <ul className="overflow-hidden rounded-3 border">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} canWrite={canWrite} />
          ))}
        </ul>
      ) : null}
      <LoadMore query={query} />
    </Section>
  );
}

const isReplayable = ({ event, status }: Delivery) => event !== 'channel.test' && status !== 'pending';

/** Replays the deliveries of a time range and reports their number. */
function ReplayMany({ channelId, deliveries }: { channelId: string; deliveries: Delivery[] }) {
  const [isOpen, setOpen] = useState(false);
  const failed = deliveries.filter((delivery) => delivery.status === 'failed' && isReplayable(delivery));
  const waiting = deliveries.filter(({ status, replayedAt }) => status === 'pending' && replayedAt !== null).length;
  return (
    <>
      {waiting > 0 ? (
        <span role="status" className="text-small text-muted">
          {waiting} replaying
        </span>
      ) : null}
      {deliveries.some(({ event }) => event !== 'channel.test') ? (
        <Button size="small" onClick={() => setOpen(true)}>
          Replay deliveries
        </Button>
      ) : null}
      {isOpen ? (
        <ReplayDialog channelId={channelId} oldestFailed={failed.at(-1)?.createdAt} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

/** Sends one delivery again. */
function ReplayOne({ delivery: { id: deliveryId, channelId } }: { delivery: Delivery }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const replaying = useMutation(
    trpc.notifications.replay.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.notifications.pathFilter()),
      onError: (error) => toast.error(readApiError(error).message),
    }),
  );
  return (
    <Button size="small" busy={replaying.isPending} onClick={() => replaying.mutate({ id: channelId, deliveryId })}>
      Replay
    </Button>
  );
}

function DeliveryRow({ delivery, canWrite }: { delivery: Delivery; canWrite: boolean }) {
  const { event, status, attempts, incidentId, monitorName, createdAt, nextAttemptAt, isSending, hold, webhookId } =
    delivery;
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li className="border-b last:border-b-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex min-h-10 w-full flex-wrap items-center gap-x-2.5 gap-y-0.5 px-3 py-2 text-left hover:bg-hover focus-inset"
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} small className="text-faint" />
        <span className="font-medium">{eventName(event)}</span>
        {monitorName ? <span className="min-w-0 truncate text-muted">{monitorName}</span> : null}
        <Timestamp at={createdAt} className="text-small text-faint" />
        <span className="ml-auto">
          <DeliveryState status={status} attempts={attempts.length} isSending={isSending} hold={hold} />
        </span>
      </button>
      <div id={id} hidden={!open} className="border-t bg-hover px-3 py-2">
        <ol className="grid gap-1">
          {attempts.map((attempt) => (
            <li key={attempt.at} className="num flex flex-wrap gap-x-3 text-small">
              <Timestamp at={attempt.at} className="font-mono text-faint" />
              <span>{formatMs(attempt.durationMs)}</span>
              {attempt.statusCode === null ? null : <span className="font-mono">{attempt.statusCode}</span>}
              <span className="min-w-0 text-muted [overflow-wrap:anywhere]">{attempt.error ?? 'Accepted'}</span>
            </li>
          ))}
        </ol>
        {attempts.length === 0 ? (
          <p className="text-small text-muted">
            {isSending
              ? 'Sending.'
              : nextAttemptAt
                ? 'Not sent yet.'
                : 'Waiting for an earlier delivery about this incident.'}
          </p>
        ) : null}
        {status === 'pending' && nextAttemptAt && !isSending ? (
          <p className="mt-1 text-small text-muted">
            Next attempt <Until at={nextAttemptAt} />.
          </p>
        ) : null}
        {delivery.forwardedFrom ? (
          <p className="mt-1 text-small text-muted">
            Sent here because{' '}
            <Link href={`/channels/${delivery.forwardedFrom.channelId}`} className={linkClass}>
              {delivery.forwardedFrom.channelName}
            </Link>{' '}
            was failing.
          </p>
        ) : null}
        {delivery.replayedAt ? (
          <p className="mt-1 text-small text-muted">
            Replayed{delivery.replayedBy ? ` by ${delivery.replayedBy}` : ''}, <Timestamp at={delivery.replayedAt} />
          </p>
        ) : null}
        {canWrite && open ? (
          <div className="mt-2 grid justify-items-start gap-2 [&>ul]:w-full">
            {attempts.length > 0 ? (
              <Exchanges key={attempts.length} channelId={delivery.channelId} deliveryId={delivery.id} />
            ) : null}
            {isReplayable(delivery) ? <ReplayOne delivery={delivery} /> : null}
          </div>
        ) : null}
        <p className="mt-1 flex flex-wrap gap-x-3 text-small text-muted">
          <span className="font-mono [overflow-wrap:anywhere]">{webhookId}</span>
          {incidentId ? (
            <Link href={`/incidents/${incidentId}`} className={linkClass}>
              View incident
            </Link>
          ) : null}
        </p>
      </div>
    </li>
  );
}
