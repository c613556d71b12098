'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Incident, IncidentUpdate } from '@/server/incidents/schema';
import { isShownToCustomers } from './note-composer';

/** Actions on a note: show it on status pages, hide it, delete it. */
export function NoteActions({ incident, note }: { incident: Incident; note: IncidentUpdate }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { isPublic } = note;
  const onSettled = () => queryClient.invalidateQueries(trpc.incidents.pathFilter());
  const editing = useMutation(
    trpc.incidents.editUpdate.mutationOptions({
      onSettled,
      onSuccess: ({ update }) =>
        toast(update.isPublic ? 'Note published to status pages.' : 'Note hidden from status pages.'),
      onError: (error) => toast.error(readApiError(error).message),
    }),
  );
  const deleting = useMutation(
    trpc.incidents.deleteUpdate.mutationOptions({
      onSettled,
      onSuccess: () => {
        setAsking(false);
        toast('Note deleted.');
      },
    }),
  );
  const named = { id: incident.id, updateId: note.id };
  return (
    <div className="-ml-2 flex flex-wrap">
      {isPublic || isShownToCustomers(incident) ? (
        <Button
          variant="ghost"
          size="small"
          busy={editing.isPending}
          onClick={() => editing.mutate({ ...named, isPublic: !isPublic })}
        >
          {isPublic ? 'Hide from status pages' : 'Show on status pages'}
        </Button>
      ) : null}
      <Button variant="ghost" size="small" onClick={() => setAsking(true)}>
        Delete note
      </Button>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete this note?"
        safe="Cancel"
        verb="Delete note"
        danger
        doing={deleting}
        onConfirm={() => deleting.mutate(named)}
      >
        {isPublic ? 'It is removed from the timeline and from status pages.' : 'It is removed from the timeline.'} This
        cannot be undone.
      </AlertDialog>
    </div>
  );
}
