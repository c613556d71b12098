'use client';

import { type AlertDialogProps, useWasTrue } from '@/app/_components/ui/dialog-parts';
import { lazyPart } from '@/app/_components/ui/lazy-part';

const load = () => import('./alert-dialog-content').then((module) => module.AlertDialogContent);
const Content = lazyPart(load);

/** Loads the code of confirmation dialogs before one is needed. */
export const prepareAlertDialog = () => void load().catch(() => undefined);

/** A confirmation dialog. The cancel button has the initial focus, which returns to the opener. */
export function AlertDialog(props: AlertDialogProps) {
  const wasOpen = useWasTrue(props.open);
  return wasOpen ? <Content {...props} /> : null;
}
