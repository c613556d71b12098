'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { OneTimeLink } from '@/app/_components/one-time-link';
import { Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** Creates and revokes the link for people outside of the team. */
export function ShareSection({ incidentId, isShared }: { incidentId: string; isShared: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries(trpc.incidents.detail.pathFilter());
  const onError = (error: unknown) => toast.error(readApiError(error).message);
  const sharing = useMutation(trpc.incidents.share.mutationOptions({ onSettled, onError }));
  const revoking = useMutation(
    trpc.incidents.unshare.mutationOptions({
      ...{ onSettled, onError },
      onSuccess: () => {
        sharing.reset();
        toast('Link revoked.');
      },
    }),
  );
  const url = sharing.data?.share.url;
  return (
    <Section title="Public link">
      <div className="grid justify-items-start gap-3">
        <p className="text-muted">
          {isShared && !url
            ? 'A link exists. It was shown once, when it was created; a new one replaces it.'
            : 'Anybody with the link sees the title, the times, the notes that are on status pages, and the postmortem if it is published.'}
        </p>
        {url ? <OneTimeLink url={url} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button size="small" busy={sharing.isPending} onClick={() => sharing.mutate({ id: incidentId })}>
            {isShared ? 'Create new link' : 'Create link'}
          </Button>
          {isShared ? (
            <Button
              size="small"
              variant="ghost"
              busy={revoking.isPending}
              onClick={() => revoking.mutate({ id: incidentId })}
            >
              Revoke link
            </Button>
          ) : null}
        </div>
      </div>
    </Section>
  );
}
