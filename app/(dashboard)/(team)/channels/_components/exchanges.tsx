'use client';

import { useQuery } from '@tanstack/react-query';
import { Timestamp } from '@/app/_components/time/time';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { DeliveryDetail } from '@/server/notifications/schema';

type Exchange = NonNullable<DeliveryDetail['attempts'][number]['exchange']>;

const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

function requestText({ request: { method, url, headers, body } }: Exchange): string {
  return [`${method} ${url}`, ...linesOf(headers), '', body ?? ''].join('\n').trim();
}

function responseText({ response }: Exchange): string {
  if (!response) return 'No response';
  const body = response.body ?? 'Body not stored: the channel does not save response bodies.';
  return [`HTTP ${response.statusCode}`, ...linesOf(response.headers), '', body].join('\n').trim();
}

/** The request and the response of each attempt of a delivery, without credentials. */
export function Exchanges({ channelId, deliveryId }: { channelId: string; deliveryId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.notifications.delivery.queryOptions({ id: channelId, deliveryId }));
  if (query.isPending) return <RowsLoading rows={1} label="Loading requests" />;
  if (query.isError) return <p className="text-small text-muted">{readApiError(query.error).message}</p>;
  const attempts = query.data.delivery.attempts.flatMap(({ at, exchange }) => (exchange ? [{ at, exchange }] : []));
  if (attempts.length === 0) return <p className="text-small text-muted">No requests are stored for this delivery.</p>;
  return (
    <ul className="grid gap-3">
      {attempts.map(({ at, exchange }) => (
        <li key={at} className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <Timestamp at={at} className="font-mono text-small text-faint" />
          <ExchangePanes exchange={exchange} />
        </li>
      ))}
    </ul>
  );
}

/** A request and its response, side by side on wide screens. */
export function ExchangePanes({ exchange }: { exchange: Exchange }) {
  return (
    <div className="@container">
      <div className="grid overflow-hidden rounded-2 border bg-surface @max-[560px]:divide-y @min-[560px]:grid-cols-2 @min-[560px]:divide-x">
        <Pane title="Request" text={requestText(exchange)} />
        <Pane title="Response" text={responseText(exchange)} />
      </div>
    </div>
  );
}

function Pane({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0 p-2.5">
      <p className="mb-1 text-small text-muted">{title}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it only while it has the focus. */}
      <section aria-label={title} tabIndex={0} className="max-h-60 overflow-auto focus-inset">
        <pre className="whitespace-pre-wrap font-mono text-small [overflow-wrap:anywhere]">{text}</pre>
      </section>
    </div>
  );
}
