'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { OneTimeLink } from '@/app/_components/one-time-link';
import { Timestamp } from '@/app/_components/time/time';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** Creates and revokes the caller's secret calendar addresses, of a schedule or of their own shifts. */
export function FeedButton({ scheduleId, children }: { scheduleId: string | null; children: React.ReactNode }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [url, setUrl] = useState<string | null>(null);
  const query = useQuery(trpc.onCall.feeds.queryOptions(undefined, { enabled: isOpen }));
  const changed = () => queryClient.invalidateQueries(trpc.onCall.feeds.pathFilter());
  const failed = (error: unknown) => toast.error(readApiError(error).message);
  const creating = useMutation(
    trpc.onCall.createFeed.mutationOptions({
      onSuccess: (created) => {
        setUrl(created.url);
        void changed();
      },
      onError: failed,
    }),
  );
  const revoking = useMutation(
    trpc.onCall.deleteFeed.mutationOptions({
      onSuccess: () => {
        toast('Revoked the calendar link');
        void changed();
      },
      onError: failed,
    }),
  );
  const feeds = query.data?.feeds.filter((feed) => feed.scheduleId === scheduleId) ?? [];
  const change = (open: boolean) => {
    setOpen(open);
    if (!open) setUrl(null);
  };
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        <Icon name="link" />
        {children}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={change}
        title="Calendar link"
        description="Whoever has the link sees the shifts. It works until you revoke it or leave the team."
        footer={
          <>
            <Button onClick={() => change(false)}>Close</Button>
            <Button variant="primary" busy={creating.isPending} onClick={() => creating.mutate({ scheduleId })}>
              Create link
            </Button>
          </>
        }
      >
        {url ? (
          <div className="grid gap-2">
            <OneTimeLink url={url} />
            <p className="text-small text-muted">Copy it now: it is not shown again.</p>
          </div>
        ) : null}
        {feeds.length > 0 ? (
          <ul className="divide-y" aria-label="Your calendar links">
            {feeds.map(({ id, createdAt }) => (
              <li key={id} className="flex items-center justify-between gap-3 py-2">
                <span className="text-muted">
                  Created <Timestamp at={createdAt} />
                </span>
                <Button size="small" onClick={() => revoking.mutate({ id })}>
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
        ) : null}
      </Dialog>
    </>
  );
}
