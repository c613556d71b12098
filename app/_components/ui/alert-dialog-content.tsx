'use client';

import * as Radix from 'radix-ui/alert-dialog';
import { cn } from '@/app/_components/cn';
import { Button } from '@/app/_components/ui/button';
import { type AlertDialogProps, DialogFooter, dialogClass, overlayClass } from '@/app/_components/ui/dialog-parts';
import { FieldError } from '@/app/_components/ui/field';
import { useOpener } from '@/app/_components/use-opener';
import { readApiError } from '@/app/_trpc/errors';

/** The dialog itself, which `AlertDialog` loads. */
export function AlertDialogContent(props: AlertDialogProps) {
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
