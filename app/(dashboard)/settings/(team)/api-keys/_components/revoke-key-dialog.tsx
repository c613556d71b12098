'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { useTRPC } from '@/app/_trpc/client';
import type { ApiKey } from '@/server/api-keys/schema';

/** Confirms the revocation of a key; null closes the dialog. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoking = useMutation(
    trpc.apiKeys.delete.mutationOptions({
      async onSuccess() {
        toast(`Revoked “${apiKey?.name}”`);
        onClose();
        await Promise.all([
          queryClient.invalidateQueries(trpc.apiKeys.pathFilter()),
          queryClient.invalidateQueries(trpc.billing.pathFilter()),
        ]);
      },
    }),
  );
  return (
    <AlertDialog
      open={apiKey !== null}
      onClose={onClose}
      title={`Revoke “${apiKey?.name ?? ''}”?`}
      safe="Cancel"
      verb="Revoke key"
      danger
      doing={revoking}
      onConfirm={() => apiKey && revoking.mutate({ id: apiKey.id })}
    >
      Requests with <code>{apiKey?.prefix}…</code> will be rejected immediately. This cannot be undone.
    </AlertDialog>
  );
}
