'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { DeleteButton } from '@/app/_components/delete-button';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { StatusPage } from '@/server/status-pages/schema';

export interface DeleteStatusPageProps {
  page: StatusPage;
  onDeleting: (isDeleting: boolean) => void;
}

export function DeleteStatusPage({ page, onDeleting }: DeleteStatusPageProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const router = useRouter();
  const queryClient = useQueryClient();
  return (
    <DeleteButton
      name={page.title}
      verb="Delete status page"
      remove={() => client.statusPages.delete.mutate({ id: page.id })}
      onDeleting={onDeleting}
      onDeleted={() => {
        void queryClient.invalidateQueries(trpc.statusPages.list.pathFilter());
        router.push('/status-pages');
      }}
    >
      The page, its feeds and its badge stop working, and its URL becomes available to other teams. Monitors and
      incidents are kept, components without a monitor are deleted.
    </DeleteButton>
  );
}
