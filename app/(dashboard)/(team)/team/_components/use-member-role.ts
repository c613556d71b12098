'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { aRole } from '@/app/_components/roles';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Member, Role } from '@/server/teams/schema';

/** Changes a member's role, with a toast that can undo it. */
export function useMemberRole(): (member: Member, role: Role) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const updating = useMutation(
    trpc.teams.members.update.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.teams.pathFilter()),
      onError: (error) => toast.error(readApiError(error).message),
    }),
  );
  function setRole(member: Member, role: Role) {
    const onSuccess = () =>
      toast(`${member.name ?? member.email} is now ${aRole(role)}`, {
        action: { label: 'Undo', onClick: () => setRole({ ...member, role }, member.role) },
      });
    updating.mutate({ userId: member.id, role }, { onSuccess });
  }
  return setRole;
}
