'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { OneTimeLink } from '@/app/_components/one-time-link';
import { Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** Creates and revokes the link for people outside of the team. */
export function ShareSection({ incidentId, isShared }: { incidentId: string; isShared: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries(trpc.incidents.detail.pathFilter());
  const [asking, setAsking] = useState<'create' | 'revoke' | null>(null);
  const sharing = useMutation(
    trpc.incidents.share.mutationOptions({
      onSettled,
      onSuccess: () => setAsking(null),
      onError: (error) => toast.error(readApiError(error).message),
    }),
  );
  const revoking = useMutation(
    trpc.incidents.unshare.mutationOptions({
      onSettled,
      onSuccess: () => {
        sharing.reset();
        setAsking(null);
        toast('Link revoked');
      },
    }),
  );
  const create = () => sharing.mutate({ id: incidentId });
  const url = sharing.data?.share.url;
  return (
    <Section title="Public link">
      <div className="grid justify-items-start gap-3">
        <p className="text-muted">
          {isShared && !url
            ? 'This incident has a public link, which was shown once. A new link replaces it.'
            : 'Anyone with the link sees the title, the times, the notes that are on status pages, and the postmortem if it is published.'}
        </p>
        {url ? <OneTimeLink url={url} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            busy={sharing.isPending && !isShared}
            onClick={() => (isShared ? setAsking('create') : create())}
          >
            {isShared ? 'Create new link' : 'Create link'}
          </Button>
          {isShared ? (
            <Button size="small" variant="ghost" onClick={() => setAsking('revoke')}>
              Revoke link
            </Button>
          ) : null}
        </div>
      </div>
      <AlertDialog
        open={asking === 'create'}
        onClose={() => setAsking(null)}
        title="Create a new link?"
        safe="Cancel"
        verb="Create new link"
        danger
        doing={{ isPending: sharing.isPending, error: null, reset: () => undefined }}
        onConfirm={create}
      >
        The current link stops working immediately. Send the new one to everyone who needs it.
      </AlertDialog>
      <AlertDialog
        open={asking === 'revoke'}
        onClose={() => setAsking(null)}
        title="Revoke this link?"
        safe="Cancel"
        verb="Revoke link"
        danger
        doing={revoking}
        onConfirm={() => revoking.mutate({ id: incidentId })}
      >
        It stops working immediately. You can create a new link at any time.
      </AlertDialog>
    </Section>
  );
}
