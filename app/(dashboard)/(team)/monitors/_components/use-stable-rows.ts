'use client';

import { useEffect, useMemo, useState } from 'react';
import type { OverviewRow } from '@/server/monitor-types/schema';
import { arrange, attentionCount, isSameOrder, orderOf } from './stable-order';

/** Whether the user is interacting with the list: it has the pointer or focus, or the page is scrolled. */
function useHeld() {
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

/**
 * Keeps the order of rows while the user interacts with the list; rows still update in place. A new `scope` (filter) sorts them again. Attach
 * `handlers` to the list.
 */
export function useStableRows(rows: OverviewRow[], scope: string) {
  const { held, handlers } = useHeld();
  const [kept, setKept] = useState(() => ({ scope, order: orderOf(rows) }));
  const free = !held || kept.scope !== scope || kept.order.ids.length === 0;
  const next = useMemo(() => orderOf(rows), [rows]);
  if (free && (kept.scope !== scope || !isSameOrder(kept.order, next))) setKept({ scope, order: next });
  const order = free ? next : kept.order;
  const arranged = useMemo(() => arrange(rows, order), [rows, order]);
  return { rows: arranged, attention: attentionCount(arranged, order), handlers };
}
