'use client';

import { useEffect } from 'react';

/** Keeps the icon of the tab up to date: it is red while an incident is open. */
export function useFavicon(hasOpenIncidents: boolean): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    icon?.setAttribute('href', hasOpenIncidents ? '/icon-down.svg' : '/icon.svg');
    return () => icon?.setAttribute('href', '/icon.svg');
  }, [hasOpenIncidents]);
}
