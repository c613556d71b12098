'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { OneTimeLink } from '@/app/_components/one-time-link';
import { Timestamp } from '@/app/_components/time/time';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Icon } from '@/app/_components/ui/icon';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { FeedKind } from '@/server/calendar-feeds/schema';

export interface FeedButtonProps {
  kind: FeedKind;
  /** The schedule of the feed; without it, the feed contains the caller's shifts. */
  scheduleId?: string;
  children: React.ReactNode;
}

const contents: Record<FeedKind, string> = { on_call: 'the shifts', maintenance: 'all maintenance of the team' };

/** Creates and revokes the caller's secret calendar URLs. */
export function FeedButton({ kind, scheduleId, children }: FeedButtonProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [url, setUrl] = useState<string | null>(null);
  const [revokingId, setRevokingId] = useState<string | null>(null);
  const query = useQuery(trpc.calendarFeeds.list.queryOptions(undefined, { enabled: isOpen }));
  const changed = () => queryClient.invalidateQueries(trpc.calendarFeeds.list.pathFilter());
  const creating = useMutation(
    trpc.calendarFeeds.create.mutationOptions({
      onSuccess: (created) => {
        setUrl(created.url);
        void changed();
      },
      onError: (error) => toast.error(readApiError(error).message),
    }),
  );
  const revoking = useMutation(
    trpc.calendarFeeds.delete.mutationOptions({
      onSuccess: () => {
        toast('Calendar link revoked');
        setRevokingId(null);
        void changed();
      },
    }),
  );
  const feeds =
    query.data?.feeds.filter((feed) => feed.kind === kind && feed.scheduleId === (scheduleId ?? null)) ?? [];
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
        description={`Anyone with the link sees ${contents[kind]}. It works until you revoke it or leave the team.`}
        footer={
          <>
            <Button onClick={() => change(false)}>Close</Button>
            <Button variant="primary" busy={creating.isPending} onClick={() => creating.mutate({ kind, scheduleId })}>
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
        {query.isPending ? <RowsLoading label="Loading your calendar links" /> : null}
        {query.isError ? <FailedQuery query={query} title="Could not load your calendar links" /> : null}
        {query.isSuccess && feeds.length === 0 ? <p className="text-muted">You have no calendar link yet.</p> : null}
        {feeds.length > 0 ? (
          <ul className="divide-y" aria-label="Your calendar links">
            {feeds.map(({ id, createdAt }) => (
              <li key={id} className="flex items-center justify-between gap-3 py-2">
                <span className="text-muted">
                  Created <Timestamp at={createdAt} />
                </span>
                <Button size="small" onClick={() => setRevokingId(id)}>
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
        ) : null}
        <AlertDialog
          open={revokingId !== null}
          onClose={() => setRevokingId(null)}
          title="Revoke this calendar link?"
          safe="Cancel"
          verb="Revoke link"
          danger
          doing={revoking}
          onConfirm={() => revokingId && revoking.mutate({ id: revokingId })}
        >
          Calendars that use it stop updating. This cannot be undone.
        </AlertDialog>
      </Dialog>
    </>
  );
}
