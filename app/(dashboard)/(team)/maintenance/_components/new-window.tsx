'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { WindowForm } from './window-form';

/** Schedules a window and returns to the list. */
export function NewWindow() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const creating = useMutation(trpc.maintenance.create.mutationOptions());
  return (
    <WindowForm
      onSave={async (input) => {
        const { maintenanceWindow } = await creating.mutateAsync(input);
        void queryClient.invalidateQueries(trpc.maintenance.pathFilter());
        void queryClient.invalidateQueries(trpc.monitors.pathFilter());
        toast(`Scheduled ${maintenanceWindow.title}`);
        router.push('/maintenance');
      }}
    >
      <Button asChild variant="ghost">
        <Link href="/maintenance">Discard</Link>
      </Button>
    </WindowForm>
  );
}
