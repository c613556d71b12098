'use client';

import { useEffect, useRef, useState } from 'react';
import { lazyPart } from '@/app/_components/ui/lazy-part';
import type { PaletteProps } from './palette';

const load = () => import('./palette').then((module) => module.Palette);

// Loaded when the modifier key or the button is pressed for the first time.
const Palette = lazyPart(load);

/** Opens and closes the command palette by ⌘ K or Ctrl K, also in fields. */
export function usePalette(props: Omit<PaletteProps, 'open' | 'onClose'>) {
  const [open, setOpen] = useState<boolean | null>(null);
  const isOpen = useRef(false);
  isOpen.current = open === true;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Meta' || event.key === 'Control') void load();
      if (event.key.toLowerCase() !== 'k' || event.shiftKey || event.altKey || event.metaKey === event.ctrlKey) return;
      const isOther = document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
      if (isOther && !isOpen.current) return;
      event.preventDefault();
      setOpen(!isOpen.current);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return {
    show: () => setOpen(true),
    prepare: () => void load(),
    element: open === null ? null : <Palette {...props} open={open} onClose={() => setOpen(false)} />,
  };
}
