'use client';

import { useEffect } from 'react';

/** Keeps the icon of the tab up to date: it is red while an incident is open. */
export function useFavicon(hasOpenIncidents: boolean): void {
  useEffect(() => {
    const show = (href: string) => {
      for (const icon of document.querySelectorAll('link[rel="icon"]')) {
        if (icon.getAttribute('href') !== href) icon.setAttribute('href', href);
      }
    };
    const apply = () => show(hasOpenIncidents ? '/icon-down.svg' : '/icon.svg');
    apply();
    // Another page brings its own icon.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true });
    return () => {
      observer.disconnect();
      show('/icon.svg');
    };
  }, [hasOpenIncidents]);
}
