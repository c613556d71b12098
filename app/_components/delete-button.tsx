'use client';

import { useState } from 'react';
import { AlertDialog, type AlertDialogProps } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';

export interface DeleteButtonProps extends Pick<AlertDialogProps, 'verb' | 'children' | 'doing' | 'onConfirm'> {
  /** The name of the object. */
  name: string;
}

/** Deletes the page's object after a confirmation. */
export function DeleteButton({ name, ...question }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false);
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
        {...question}
      />
    </>
  );
}
