'use client';

import * as Radix from 'radix-ui/dialog';
import { useRef } from 'react';
import {
  DialogFooter,
  DialogGuard,
  type DialogProps,
  dialogClass,
  overlayClass,
} from '@/app/_components/ui/dialog-parts';
import { useOpener } from '@/app/_components/use-opener';

/** The dialog itself, which `Dialog` loads. */
export function DialogContent({ open, onOpenChange, title, description, footer, children }: DialogProps) {
  const opener = useOpener();
  const guard = useRef<((close: () => void) => void) | null>(null);
  const change = (isOpen: boolean) => {
    if (isOpen || !guard.current) onOpenChange(isOpen);
    else guard.current(() => onOpenChange(false));
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content className={dialogClass} {...opener} {...(!description && { 'aria-describedby': undefined })}>
          <div className="grid gap-2 px-5 pt-5 pb-4">
            <Radix.Title className="text-lead font-semibold">{title}</Radix.Title>
            {description ? <Radix.Description className="text-muted">{description}</Radix.Description> : null}
            <DialogGuard value={guard}>{children}</DialogGuard>
          </div>
          {footer ? <DialogFooter>{footer}</DialogFooter> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
