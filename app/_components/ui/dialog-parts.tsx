'use client';

import { createContext, type RefObject, useRef } from 'react';

// What dialogs and their contents share. A dialog loads its content when it opens for the first time.

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

/** Whether a value is or was true. */
export function useWasTrue(value: boolean): boolean {
  const was = useRef(value);
  if (value) was.current = true;
  return was.current;
}

/** The footer of a dialog. */
export function DialogFooter({ children }: { children: React.ReactNode }) {
  return (
    <footer className="flex justify-end gap-2 border-t px-5 py-3 max-sm:[&>*]:min-w-0 max-sm:[&>*]:flex-1">
      {children}
    </footer>
  );
}
