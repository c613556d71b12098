'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';

export function DeletePostmortem({ incidentId, onDeleted }: { incidentId: string; onDeleted: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const deleting = useMutation(
    trpc.incidents.deletePostmortem.mutationOptions({
      onSuccess: () => {
        queryClient.setQueryData(trpc.incidents.postmortem.queryKey({ id: incidentId }), { postmortem: null });
        toast('Postmortem deleted.');
        setAsking(false);
        onDeleted();
      },
      onSettled: () => queryClient.invalidateQueries(trpc.incidents.pathFilter()),
    }),
  );
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        Delete postmortem
      </Button>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete this postmortem?"
        safe="Cancel"
        verb="Delete postmortem"
        danger
        doing={deleting}
        onConfirm={() => deleting.mutate({ id: incidentId })}
      >
        Its text is deleted for everyone, also on the public link of the incident. This cannot be undone.
      </AlertDialog>
    </>
  );
}
