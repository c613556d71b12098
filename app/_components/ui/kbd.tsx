'use client';

import { useSyncExternalStore } from 'react';

/** A key of the keyboard. */
export function Kbd({ children }: { children: React.ReactNode }) {
  return (
    <kbd className="inline-grid h-[18px] min-w-[18px] place-items-center rounded-1 border border-strong bg-surface px-1 text-micro leading-none text-muted">
      {children}
    </kbd>
  );
}

const never = () => () => undefined;

/** The modifier key of shortcuts: ⌘ on Apple's systems, otherwise Ctrl. */
export function ModKey() {
  const key = useSyncExternalStore(
    never,
    () => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'),
    () => 'Ctrl',
  );
  return <Kbd>{key}</Kbd>;
}
