'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { DeleteButton } from '@/app/_components/delete-button';
import { toast } from '@/app/_components/toasts';
import { useTRPC } from '@/app/_trpc/client';
import type { StatusPage } from '@/server/status-pages/schema';

/** Asks before a status page goes. */
export function DeleteStatusPage({ page }: { page: StatusPage }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
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
    <DeleteButton
      name={page.title}
      verb="Delete status page"
      doing={deleting}
      onConfirm={() => deleting.mutate({ id: page.id })}
    >
      Its address, feeds and badge answer nothing any more, and another team may take the address. Monitors and
      incidents stay.
    </DeleteButton>
  );
}
