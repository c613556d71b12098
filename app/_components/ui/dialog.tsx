'use client';

import { type DialogProps, useWasTrue } from '@/app/_components/ui/dialog-parts';
import { lazyPart } from '@/app/_components/ui/lazy-part';

const Content = lazyPart(() => import('./dialog-content').then((module) => module.DialogContent));

/** A dialog with custom content such as a form. For a confirmation, use AlertDialog. */
export function Dialog(props: DialogProps) {
  const wasOpen = useWasTrue(props.open);
  return wasOpen ? <Content {...props} /> : null;
}
