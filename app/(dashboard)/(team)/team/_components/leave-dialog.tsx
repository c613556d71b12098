'use client';

import { useMutation } from '@tanstack/react-query';
import { useSwitchTeam } from '@/app/_components/shell/use-switch-team';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

export interface LeaveDialogProps {
  open: boolean;
  myId: string;
  team: { name: string };
  otherTeams: readonly { id: string; name: string }[];
  onClose: () => void;
}

/** Asks before a person leaves the team; afterwards they go on in another of theirs. */
export function LeaveDialog({ open, myId, team, otherTeams, onClose }: LeaveDialogProps) {
  const trpc = useTRPC();
  const { switchTo } = useSwitchTeam();
  const [next] = otherTeams;
  const leaving = useMutation(
    trpc.teams.members.remove.mutationOptions({
      onSuccess: () => (next ? switchTo(next.id) : window.location.assign('/monitors')),
    }),
  );
  const close = (opened: boolean) => {
    if (opened) return;
    leaving.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={close}
      title={`Leave “${team.name}”?`}
      safe="Stay"
      verb="Leave team"
      danger
      busy={leaving.isPending || leaving.isSuccess}
      error={leaving.error ? readApiError(leaving.error).message : undefined}
      onConfirm={() => leaving.mutate({ userId: myId })}
    >
      You lose access at once, and the API keys you made here stop working. To come back you need an invitation.
      {next ? ` You go on in “${next.name}”.` : ' You are in no other team.'}
    </ConfirmDialog>
  );
}
