'use client';

import { useEffect } from 'react';

/** Updates the favicon: red while an incident is open. */
export function useFavicon(hasOpenIncidents: boolean): void {
  useEffect(() => {
    const show = (href: string) => {
      for (const icon of document.querySelectorAll('link[rel="icon"]')) {
        if (icon.getAttribute('href') !== href) icon.setAttribute('href', href);
      }
    };
    const apply = () => show(hasOpenIncidents ? '/icon-down.svg' : '/icon.svg');
    apply();
    // Another page sets its own icon.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true });
    return () => {
      observer.disconnect();
      show('/icon.svg');
    };
  }, [hasOpenIncidents]);
}
