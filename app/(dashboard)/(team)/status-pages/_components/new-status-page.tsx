'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import { StatusPageForm } from './status-page-form';

/** Creates a status page and opens its editor. */
export function NewStatusPage() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const creating = useMutation(trpc.statusPages.create.mutationOptions());
  return (
    <StatusPageForm
      onSave={async ({ order: _order, ...input }) => {
        const { statusPage } = await creating.mutateAsync(input);
        void queryClient.invalidateQueries(trpc.statusPages.list.pathFilter());
        toast(`Created ${statusPage.title}`);
        router.push(`/status-pages/${statusPage.id}`);
      }}
    />
  );
}
