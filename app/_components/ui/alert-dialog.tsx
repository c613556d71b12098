'use client';

import { AlertDialog as Radix } from 'radix-ui';
import { cn } from '@/app/_components/cn';
import { Button } from '@/app/_components/ui/button';
import { DialogFooter, dialogClass, overlayClass } from '@/app/_components/ui/dialog';
import { FieldError } from '@/app/_components/ui/field';
import { useOpener } from '@/app/_components/use-opener';
import { readApiError } from '@/app/_trpc/errors';

export interface AlertDialogProps {
  open: boolean;
  onClose: () => void;
  /** The question: Delete “Search suggestions”? */
  title: React.ReactNode;
  /** The consequences. */
  children: React.ReactNode;
  /** The label of the cancel button, which has the initial focus: "Cancel". */
  safe: string;
  /** The label of the confirm button: "Delete monitor". */
  verb: string;
  danger?: boolean;
  /** The mutation whose pending and error states are shown. Reset when the dialog closes. */
  doing: { isPending: boolean; error: unknown; reset: () => void };
  /** Starts the mutation; the caller closes the dialog when it succeeds. */
  onConfirm: () => void;
}

/** A confirmation dialog. The cancel button has the initial focus, which returns to the opener. */
export function AlertDialog(props: AlertDialogProps) {
  const { open, onClose, title, children, safe, verb, danger, doing, onConfirm } = props;
  const opener = useOpener();
  const change = (isOpen: boolean) => {
    if (isOpen) return;
    doing.reset();
    onClose();
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        {/* Above the dialog that opened it. */}
        <Radix.Overlay className={cn(overlayClass, 'z-50')} />
        <Radix.Content className={dialogClass} {...opener}>
          <div className="grid gap-2 px-5 pt-5 pb-4">
            <Radix.Title className="text-lead font-semibold">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="text-muted">{children}</div>
            </Radix.Description>
            {doing.error ? <FieldError>{readApiError(doing.error).message}</FieldError> : null}
          </div>
          <DialogFooter>
            <Radix.Cancel asChild>
              <Button>{safe}</Button>
            </Radix.Cancel>
            <Button variant={danger ? 'danger' : 'primary'} busy={doing.isPending} onClick={onConfirm}>
              {verb}
            </Button>
          </DialogFooter>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
