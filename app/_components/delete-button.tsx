'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import type { AlertDialogProps } from '@/app/_components/ui/dialog-parts';
import { Icon } from '@/app/_components/ui/icon';

export interface DeleteButtonProps extends Pick<AlertDialogProps, 'verb' | 'children'> {
  /** The name of the object. */
  name: string;
  /** Deletes the object on the server. */
  remove: () => Promise<unknown>;
  /** Called with true when the deletion starts and with false if it fails. The object's queries must pause in between. */
  onDeleting: (isDeleting: boolean) => void;
  /** Refreshes the list of the objects and leaves the page. */
  onDeleted: () => void;
}

/** Deletes the page's object after a confirmation. */
export function DeleteButton({ name, remove, onDeleting, onDeleted, ...question }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false);
  const deleting = useMutation({
    mutationFn: remove,
    onMutate: () => onDeleting(true),
    onError: () => onDeleting(false),
    onSuccess: () => {
      toast(`Deleted ${name}`);
      onDeleted();
    },
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Icon name="trash" />
        Delete
      </Button>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete “${name}”?`}
        safe="Cancel"
        danger
        doing={deleting}
        onConfirm={() => deleting.mutate()}
        {...question}
      />
    </>
  );
}
