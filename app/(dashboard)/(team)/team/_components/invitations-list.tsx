'use client';

import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { LoadMore } from '@/app/_components/load-more';
import { toast } from '@/app/_components/toast/toast';
import { Empty } from '@/app/_components/ui/empty';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { isStronger, type NewInvitation, type PendingInvitation, type Role } from '@/server/teams/schema';
import { InvitationRow } from './invitation-row';
import { RevokeInvitationDialog } from './revoke-invitation-dialog';

export interface InvitationsListProps {
  myRole: Role;
  onNewLink: (invitation: NewInvitation) => void;
}

/** Pending invitations, newest first. */
export function InvitationsList({ myRole, onNewLink }: InvitationsListProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [revoking, setRevoking] = useState<PendingInvitation | null>(null);
  const list = useInfiniteQuery(
    trpc.teams.invitations.list.infiniteQueryOptions(
      { limit: 50 },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  const resending = useMutation(
    trpc.teams.invitations.resend.mutationOptions({
      onSuccess: ({ invitation }) => onNewLink(invitation),
      onError: (error) => toast.error(readApiError(error).message),
      onSettled: () => queryClient.invalidateQueries(trpc.teams.invitations.list.pathFilter()),
    }),
  );
  if (list.isPending) return <RowsLoading label="Loading invitations" rows={2} />;
  if (!list.data) {
    return (
      <FailedQuery query={list} title="Could not load the invitations">
        Invitations that were already sent still work.
      </FailedQuery>
    );
  }
  const invitations = list.data.pages.flatMap((page) => page.invitations);
  if (invitations.length === 0) {
    return (
      <Empty title="No pending invitations">
        Invitees get a link that is valid for 7 days. They are listed here until they join.
      </Empty>
    );
  }
  return (
    <>
      <ul aria-label="Invitations" className="border-t">
        {invitations.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            isMine={!isStronger(invitation.role, myRole)}
            isBusy={resending.isPending && resending.variables.id === invitation.id}
            onResend={() => resending.mutate({ id: invitation.id })}
            onRevoke={() => setRevoking(invitation)}
          />
        ))}
      </ul>
      <LoadMore query={list} />
      <RevokeInvitationDialog invitation={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}
