'use client';

import { useEffect, useMemo, useState } from 'react';
import { areSame, keepPlaces, type ListGroup } from './list-groups';

/** Whether the user is interacting with the list: it has the pointer or focus, or the page is scrolled. */
export function useHeld() {
  const [pointer, setPointer] = useState(false);
  const [focus, setFocus] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const onScroll = () => setScrolled(window.scrollY > 8);
    onScroll();
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  const handlers = {
    onPointerEnter: () => setPointer(true),
    onPointerLeave: () => setPointer(false),
    onFocus: () => setFocus(true),
    onBlur: () => setFocus(false),
  };
  return { held: pointer || focus || scrolled, handlers };
}

/** Keeps the places of rows while the list is held. A new `scope` (filter or order) arranges them again. */
export function useStableGroups(
  groups: ListGroup[],
  { scope, held, isByGroup }: { scope: string; held: boolean; isByGroup: boolean },
): ListGroup[] {
  const [kept, setKept] = useState({ scope, groups });
  const isFree = !held || kept.scope !== scope || kept.groups.length === 0;
  const next = useMemo(
    () => (isFree ? groups : keepPlaces(kept.groups, groups, isByGroup)),
    [isFree, groups, kept.groups, isByGroup],
  );
  if (kept.scope !== scope || !areSame(kept.groups, next)) setKept({ scope, groups: next });
  return next;
}
