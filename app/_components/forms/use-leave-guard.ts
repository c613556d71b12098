'use client';

import { useEffect, useRef } from 'react';

interface Way {
  /** Asks for confirmation; `proceed` continues the navigation. */
  ask: (proceed: () => void) => void;
  push: (href: string) => void;
}

/**
 * The link within the dashboard that a click would follow; null for other tabs, other sites and downloads.
 * @param prevented whether to accept clicks that the router already handles
 */
export function followed(event: MouseEvent, { prevented = false } = {}): URL | null {
  if (event.defaultPrevented !== prevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target === '_blank' || link.hasAttribute('download')) return null;
  const url = new URL(link.href);
  return url.origin === location.origin && isElsewhere(url) ? url : null;
}

type Guard = (proceed: () => void) => void;

/** The guards of all forms with unsaved changes. The last one asks for all of them. */
const guards = new Set<Guard>();

/** Leaves the page by calling `proceed`. Asks first if a form has unsaved changes. */
export function leave(proceed: () => void): void {
  const guard = [...guards].at(-1);
  if (guard) guard(proceed);
  else proceed();
}

/** Whether a URL is another page than the current one. */
function isElsewhere({ pathname, search }: URL): boolean {
  return pathname !== location.pathname || search !== location.search;
}

/**
 * While `isOn`, asks for confirmation before a link, a shortcut, Back or Forward leaves the page. Catches clicks and traversals before the router,
 * which cannot be blocked. Browsers without the Navigation API, or that do not allow cancelling a traversal, leave without asking.
 * @returns a function that allows the next navigation
 */
export function useLeaveGuard(isOn: boolean, way: Way): () => void {
  const isFree = useRef(false);
  const current = useRef(way);
  current.current = way;

  useEffect(() => {
    if (!isOn) return;
    isFree.current = false;
    const guard: Guard = (proceed) => current.current.ask(proceed);
    guards.add(guard);
    const onClick = (event: MouseEvent) => {
      const url = isFree.current ? null : followed(event);
      // Offline, the link would not work anyway.
      if (!url || !navigator.onLine) return;
      event.preventDefault();
      // Keeps the guards of other forms on the page from asking too.
      event.stopImmediatePropagation();
      guard(() => current.current.push(url.pathname + url.search + url.hash));
    };
    const history = 'navigation' in window ? window.navigation : null;
    const onTraverse = (event: NavigateEvent) => {
      if (isFree.current || event.navigationType !== 'traverse' || !event.cancelable) return;
      const { key, url } = event.destination;
      if (!isElsewhere(new URL(url))) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      guard(() => history?.traverseTo(key));
    };
    window.addEventListener('click', onClick, { capture: true });
    history?.addEventListener('navigate', onTraverse);
    return () => {
      guards.delete(guard);
      window.removeEventListener('click', onClick, { capture: true });
      history?.removeEventListener('navigate', onTraverse);
    };
  }, [isOn]);

  return () => {
    isFree.current = true;
  };
}
