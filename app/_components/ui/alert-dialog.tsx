'use client';

import dynamic from 'next/dynamic';
import { type AlertDialogProps, useWasTrue } from '@/app/_components/ui/dialog-parts';

const Content = dynamic(() => import('./alert-dialog-content').then((module) => module.AlertDialogContent), {
  ssr: false,
});

/** A confirmation dialog. The cancel button has the initial focus, which returns to the opener. */
export function AlertDialog(props: AlertDialogProps) {
  const wasOpen = useWasTrue(props.open);
  return wasOpen ? <Content {...props} /> : null;
}
