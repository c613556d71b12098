'use client';

import { useRef } from 'react';

/** The focused element; for a menu item, the button that opened the menu. */
function currentOpener(): HTMLElement | null {
  const { activeElement } = document;
  const triggerId = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = triggerId ? document.getElementById(triggerId) : activeElement;
  return opener instanceof HTMLElement ? opener : null;
}

/**
 * Gives the focus back to what opened an overlay that has no trigger of its own; for the content of a Radix dialog.
 * Where the opener is gone, the page decides where the focus goes.
 */
export function useOpener() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = currentOpener();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      opener.current?.focus();
    },
  };
}
