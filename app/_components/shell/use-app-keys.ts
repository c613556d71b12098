'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { leave } from '@/app/_components/forms/use-leave-guard';
import { isTaken, useKeys, useKeysSwitch } from '@/app/_components/keys';
import { goTo } from '@/app/_components/shell/shortcuts';

/** How long G waits for the next key. */
const WAIT_MS = 1500;

/** Opens pages by G and a letter. Listens in the capture phase, because pages use the same letters. */
function useGoTo(): void {
  const router = useRouter();
  const { isOn } = useKeysSwitch();
  useEffect(() => {
    if (!isOn) return;
    let pressedG = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const isWaiting = event.timeStamp - pressedG < WAIT_MS;
      pressedG = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const target = isWaiting && Object.hasOwn(goTo, event.key) ? goTo[event.key] : undefined;
      if (!target) return;
      event.preventDefault();
      leave(() => router.push(target));
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [isOn, router]);
}

/** The global shortcuts: help, sidebar, and G with a letter. */
export function useAppKeys({ onSheet, onSidebar }: { onSheet: () => void; onSidebar: () => void }): void {
  useKeys({ '?': onSheet, '[': onSidebar });
  useGoTo();
}
