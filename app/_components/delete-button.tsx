'use client';

import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog, type ConfirmDialogProps } from '@/app/_components/ui/confirm-dialog';
import { Icon } from '@/app/_components/ui/icon';

export interface DeleteButtonProps extends Pick<ConfirmDialogProps, 'verb' | 'children' | 'doing' | 'onConfirm'> {
  /** What the thing is called. */
  name: string;
}

/** Deletes what a page is about, once its question is answered. */
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
        safe="Keep it"
        danger
        {...question}
      />
    </>
  );
}
