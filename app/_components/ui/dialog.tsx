'use client';

import dynamic from 'next/dynamic';
import { type DialogProps, useWasTrue } from '@/app/_components/ui/dialog-parts';

const Content = dynamic(() => import('./dialog-content').then((module) => module.DialogContent), { ssr: false });

/** A dialog with custom content such as a form. For a confirmation, use AlertDialog. */
export function Dialog(props: DialogProps) {
  const wasOpen = useWasTrue(props.open);
  return wasOpen ? <Content {...props} /> : null;
}
