'use client';

import { Dialog as Radix } from 'radix-ui';
import { createContext, type RefObject, useRef } from 'react';
import { useOpener } from '@/app/_components/use-opener';

/** The style of a dialog: centered, up to 440 px wide; on phones a bottom sheet. */
export const dialogClass =
  'fixed z-50 w-full max-w-none overflow-hidden border bg-raised text-ink shadow-3 outline-none inset-x-0 bottom-0 max-h-[90dvh] overflow-y-auto rounded-t-4 pb-[env(safe-area-inset-bottom)] sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-1/2 sm:w-[440px] sm:-translate-1/2 sm:rounded-4 sm:pb-0 data-[state=open]:animate-rise-in data-[state=closed]:animate-rise-out focus-visible:rounded-4';

export const overlayClass =
  'fixed inset-0 z-40 bg-overlay data-[state=open]:animate-fade-in data-[state=closed]:animate-fade-out';

/** Set by a form in the dialog with unsaved changes, to ask before the dialog closes other than by its buttons. */
export const DialogGuard = createContext<RefObject<((close: () => void) => void) | null> | null>(null);

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: React.ReactNode;
  description?: React.ReactNode;
  /** The buttons, the one that closes first. */
  footer?: React.ReactNode;
  children?: React.ReactNode;
}

/** A dialog with custom content such as a form. For a confirmation, use AlertDialog. */
export function Dialog({ open, onOpenChange, title, description, footer, children }: DialogProps) {
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

/** The footer of a dialog. */
export function DialogFooter({ children }: { children: React.ReactNode }) {
  return (
    <footer className="flex justify-end gap-2 border-t px-5 py-3 max-sm:[&>*]:min-w-0 max-sm:[&>*]:flex-1">
      {children}
    </footer>
  );
}
