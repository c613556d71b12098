'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from '@/app/_components/toasts';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { StatusPage } from '@/server/status-pages/schema';

/** Asks before a status page goes. */
export function DeleteStatusPage({ page }: { page: StatusPage }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const deleting = useMutation(
    trpc.statusPages.delete.mutationOptions({
      onSuccess: () => {
        toast({ message: `Deleted ${page.title}` });
        void queryClient.invalidateQueries(trpc.statusPages.list.pathFilter());
        router.push('/status-pages');
      },
    }),
  );
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Icon name="trash" />
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${page.title}”?`}
        safe="Keep it"
        verb="Delete status page"
        danger
        busy={deleting.isPending}
        error={deleting.error ? readApiError(deleting.error).message : undefined}
        onConfirm={() => deleting.mutate({ id: page.id })}
      >
        Its address, feeds and badge answer nothing any more, and another team may take the address. Monitors and
        incidents stay.
      </ConfirmDialog>
    </>
  );
}
