'use client';

import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Icon } from '@/app/_components/ui/icon';
import { readApiError } from '@/app/_trpc/errors';

export interface DeleteButtonProps {
  /** What the thing is called. */
  name: string;
  /** What is done, a verb: "Delete channel". */
  verb: string;
  /** What follows from it. */
  children: React.ReactNode;
  deleting: { isPending: boolean; error: unknown; reset: () => void };
  onConfirm: () => void;
}

/** Deletes what a page is about, once its question is answered. */
export function DeleteButton({ name, verb, children, deleting, onConfirm }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false);
  const ask = (open: boolean) => {
    deleting.reset();
    setAsking(open);
  };
  return (
    <>
      <Button onClick={() => ask(true)}>
        <Icon name="trash" />
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={ask}
        title={`Delete “${name}”?`}
        safe="Keep it"
        verb={verb}
        danger
        busy={deleting.isPending}
        error={deleting.error ? readApiError(deleting.error).message : undefined}
        onConfirm={onConfirm}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
