'use client';

import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog, type ConfirmDialogProps } from '@/app/_components/ui/confirm-dialog';
import { Icon } from '@/app/_components/ui/icon';

export interface DeleteButtonProps extends Pick<ConfirmDialogProps, 'verb' | 'children' | 'doing' | 'onConfirm'> {
  /** The name of the object. */
  name: string;
}

/** Deletes the object of a page after a confirmation. */
export function DeleteButton({ name, ...question }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Icon name="trash" />
        Delete
      </Button>
      <ConfirmDialog
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
