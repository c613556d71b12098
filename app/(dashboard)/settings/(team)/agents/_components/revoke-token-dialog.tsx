'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentToken } from '@/server/agents/schema';

/** Confirms the revocation of a token; null closes the dialog. */
export function RevokeTokenDialog({ token, onClose }: { token: AgentToken | null; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoking = useMutation(
    trpc.agents.deleteToken.mutationOptions({
      async onSuccess() {
        toast(`Revoked “${token?.name}”`);
        onClose();
        await Promise.all([
          queryClient.invalidateQueries(trpc.agents.pathFilter()),
          queryClient.invalidateQueries(trpc.monitors.regions.queryFilter()),
        ]);
      },
    }),
  );
  return (
    <AlertDialog
      open={token !== null}
      onClose={onClose}
      title={`Revoke “${token?.name ?? ''}”?`}
      safe="Cancel"
      verb="Revoke token"
      danger
      doing={revoking}
      onConfirm={() => token && revoking.mutate({ id: token.id })}
    >
      Agents with <code>{token?.prefix}…</code> stop at once. Without another agent of {token?.region}, its monitors
      become unknown. This cannot be undone.
    </AlertDialog>
  );
}
