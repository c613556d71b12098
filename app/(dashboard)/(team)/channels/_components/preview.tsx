'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { eventName } from '@/app/_components/channels';
import { Evidence, linkClass } from '@/app/_components/page';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { type Channel, type MessagePreview, TemplatedEvent } from '@/server/notifications/schema';

export const eventOptions = TemplatedEvent.options.map((value) => ({ value, label: eventName(value) }));

/** Which incident the preview shows, and whether the message was shortened to the provider's limits. */
function About({ preview: { incidentId, isShortened } }: { preview: MessagePreview }) {
  return (
    <span>
      {incidentId ? (
        <>
          With the{' '}
          <Link href={`/incidents/${incidentId}`} className={linkClass}>
            latest incident
          </Link>
        </>
      ) : (
        'Example, because there was none yet'
      )}
      {isShortened ? '. Shortened to the limits of the service; the links are kept' : null}
    </span>
  );
}

/** The texts of a message before the provider adds its links. */
export function MessageTexts({ preview }: { preview: MessagePreview }) {
  return (
    <Evidence head={<About preview={preview} />}>
      <div className="grid gap-1 px-3 py-2.5 [overflow-wrap:anywhere]">
        <p className="font-medium">{preview.headline}</p>
        <p className="whitespace-pre-wrap text-muted">{preview.details.join('\n')}</p>
      </div>
    </Evidence>
  );
}

/** The request of a channel, with its credentials masked. */
function RequestText({ preview }: { preview: MessagePreview }) {
  const { request } = preview;
  if (!request) return null;
  const head = [`${request.method} ${request.url}`, ...request.headers.map(({ name, value }) => `${name}: ${value}`)];
  return (
    <Evidence head={<About preview={preview} />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it only while it has the focus. */}
      <section aria-label="Request" tabIndex={0} className="max-h-80 overflow-auto focus-inset">
        <pre className="px-3 py-2.5 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
          {[...head, '', request.body].join('\n')}
        </pre>
      </section>
    </Evidence>
  );
}

interface PreviewRequestProps {
  channel: Channel | undefined;
  /** Returns the current values of the form. */
  read: () => { config: Record<string, string> };
}

/** Shows the request that the current values of the form would send, without sending it. */
export function PreviewRequest({ channel, read }: PreviewRequestProps) {
  const trpc = useTRPC();
  const previewing = useMutation(trpc.notifications.preview.mutationOptions());
  const [event, setEvent] = useState<TemplatedEvent>('incident.opened');
  const { issues = [], message } = previewing.error ? readApiError(previewing.error) : { message: '' };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select look="quiet" aria-label="Event" options={eventOptions} value={event} onValueChange={setEvent} />
        <Button
          busy={previewing.isPending}
          onClick={() => {
            const { config } = read();
            previewing.mutate({ event, config, ...(channel ? { id: channel.id } : { type: 'custom' }) });
          }}
        >
          <Icon name="eye" />
          Preview request
        </Button>
      </div>
      {previewing.error ? (
        <Alert state="down" role="alert" title="The preview could not be shown">
          {issues[0]?.message ?? message}
        </Alert>
      ) : null}
      {previewing.data ? <RequestText preview={previewing.data.preview} /> : null}
    </div>
  );
}
