'use client';

import { useEffect, useRef } from 'react';

interface Way {
  /** Asks for confirmation; `proceed` continues the navigation. */
  ask: (proceed: () => void) => void;
  push: (href: string) => void;
}

/**
 * The link that a click would follow to another page of the dashboard; null for other tabs, other sites and downloads.
 * @param prevented also accept clicks that the router already handles
 */
export function followed(event: MouseEvent, { prevented = false } = {}): URL | null {
  if (event.defaultPrevented !== prevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target === '_blank' || link.hasAttribute('download')) return null;
  const url = new URL(link.href);
  const isSame = url.pathname === location.pathname && url.search === location.search;
  return url.origin === location.origin && !isSame ? url : null;
}

let guard: ((proceed: () => void) => void) | null = null;

/** Leaves the page by `proceed` (not a link); asks first if a form has unsaved changes. */
export function leave(proceed: () => void): void {
  if (guard) guard(proceed);
  else proceed();
}

/**
 * While `isOn`, asks for confirmation before a link or a shortcut leaves the page. The router cannot be blocked, so
 * clicks are caught before it handles them. Back and forward within the dashboard are not caught.
 * @returns a function that allows the next navigation
 */
export function useLeaveGuard(isOn: boolean, way: Way): () => void {
  const isFree = useRef(false);
  const current = useRef(way);
  current.current = way;

  useEffect(() => {
    if (!isOn) return;
    isFree.current = false;
    guard = (proceed) => current.current.ask(proceed);
    const onClick = (event: MouseEvent) => {
      const url = isFree.current ? null : followed(event);
      // Offline, the link would not be followed anyway.
      if (!url || !navigator.onLine) return;
      event.preventDefault();
      event.stopPropagation();
      current.current.ask(() => current.current.push(url.pathname + url.search + url.hash));
    };
    window.addEventListener('click', onClick, { capture: true });
    return () => {
      guard = null;
      window.removeEventListener('click', onClick, { capture: true });
    };
  }, [isOn]);

  return () => {
    isFree.current = true;
  };
}
