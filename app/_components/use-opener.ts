'use client';

import { useRef } from 'react';

/** The focused element, or for a menu item the button that opened the menu. */
function currentOpener(): HTMLElement | null {
  const { activeElement } = document;
  const triggerId = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = triggerId ? document.getElementById(triggerId) : activeElement;
  return opener instanceof HTMLElement ? opener : null;
}

/**
 * Returns the focus to the element that opened an overlay without a trigger; for the content of a Radix dialog. If that element is gone, the page
 * decides.
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
