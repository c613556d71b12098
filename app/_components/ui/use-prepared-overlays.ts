'use client';

import { useEffect } from 'react';

/** The code of dialogs, menus and selects, which pages do not load at first. */
const overlays = [
  () => import('./alert-dialog-content'),
  () => import('./dialog-content'),
  () => import('./dropdown-menu-content'),
  () => import('./select-content'),
];
const WAIT_MS = 2_000;

const prepare = () => {
  for (const load of overlays) void load().catch(() => undefined);
};

/**
 * Loads the code of overlays once the page is idle: they open at once then, and still after a deployment, which removes the code of the version before.
 */
export function usePreparedOverlays(): void {
  useEffect(() => {
    // Safari has no idle callbacks.
    if (typeof window.requestIdleCallback !== 'function') {
      const timer = setTimeout(prepare, WAIT_MS);
      return () => clearTimeout(timer);
    }
    const waiting = window.requestIdleCallback(prepare, { timeout: WAIT_MS });
    return () => window.cancelIdleCallback(waiting);
  }, []);
}
