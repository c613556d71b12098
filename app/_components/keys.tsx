'use client';

import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { keysCookie } from '@/app/_components/shell/keys-cookie';
import { rememberChoice } from '@/app/_components/shell/use-theme';

interface KeysState {
  isOn: boolean;
  setOn: (isOn: boolean) => void;
}

const Keys = createContext<KeysState>({ isOn: true, setOn: () => undefined });

/** Provides whether single-key shortcuts are on; stored in this browser. */
export function KeysProvider({ initial, children }: { initial: boolean; children: React.ReactNode }) {
  const [isOn, setState] = useState(initial);
  // Memoized, because hundreds of rows use it.
  const value = useMemo(() => {
    const setOn = (next: boolean) => {
      setState(next);
      rememberChoice(keysCookie, next ? '1' : '0');
    };
    return { isOn, setOn };
  }, [isOn]);
  return <Keys value={value}>{children}</Keys>;
}

/** Whether single-key shortcuts are on, and how to switch them (WCAG 2.1.4). */
export function useKeysSwitch(): KeysState {
  return useContext(Keys);
}

/** Whether a key press belongs to a field or an open overlay. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.closest('input, textarea, select, [contenteditable], [role="menu"], [role="slider"]')) return true;
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}

/** Registers single-key shortcuts of a page. Ignored in fields, and if the user switched them off. */
export function useKeys(keys: Record<string, (() => void) | null | false | undefined>): void {
  const { isOn } = useContext(Keys);
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const run = Object.hasOwn(latest.current, event.key) && latest.current[event.key];
      if (!run || isTaken(event)) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn]);
}
