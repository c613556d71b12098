'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { DeleteButton } from '@/app/_components/delete-button';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { StatusPage } from '@/server/status-pages/schema';

export interface DeleteStatusPageProps {
  page: StatusPage;
  onDeleting: (isDeleting: boolean) => void;
}

export function DeleteStatusPage({ page, onDeleting }: DeleteStatusPageProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const deleting = useMutation(
    trpc.statusPages.delete.mutationOptions({
      onMutate: () => onDeleting(true),
      onError: () => onDeleting(false),
      onSuccess: () => {
        toast(`Deleted ${page.title}`);
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
      The page, its feeds and its badge stop working, and its URL becomes available to other teams. Monitors and
      incidents are kept, components without a monitor are deleted.
    </DeleteButton>
  );
}
