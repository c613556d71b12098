'use client';

import { useState } from 'react';
import { toast } from '@/app/_components/toast/toast';

/** The code of an overlay, which is loaded once for the page. */
export interface LazyOverlay<Content> {
  load: () => Promise<Content>;
  /** Undefined until it is loaded. */
  content?: Content;
  /** The keys that open it. */
  keys: readonly string[];
}

/** The last overlay that was to open before its code was loaded. */
let latest: object | null = null;

/**
 * Opens an overlay whose code is loaded when its button is reached by pointer or focus, because most page views open none.
 * @returns what was opened, and until then the props of the button
 */
export function useLazyOverlay<Content>(overlay: LazyOverlay<Content>) {
  const [opened, setOpened] = useState<{ content: Content; isByKey: boolean } | null>(null);
  const load = async () => {
    overlay.content ??= await overlay.load();
    return overlay.content;
  };
  const prepare = () => void load().catch(() => undefined);
  const open = (isByKey: boolean) => {
    const show = (content: Content) => setOpened({ content, isByKey });
    if (overlay.content) return show(overlay.content);
    const request = {};
    latest = request;
    const focused = document.activeElement;
    // Not if something else was opened or focused meanwhile.
    const showLate = (content: Content) => {
      const isElsewhere = ![focused, document.body].includes(document.activeElement);
      if (latest === request && !isElsewhere) show(content);
    };
    load().then(showLate, () => toast.error('Could not open the list. Check your connection and try again.'));
  };
  const triggerProps = {
    'aria-expanded': false,
    'data-state': 'closed',
    onPointerEnter: prepare,
    onFocus: prepare,
    onPointerDown: (event: React.PointerEvent) => {
      if (event.button !== 0 || event.ctrlKey || event.currentTarget.matches(':disabled')) return;
      // Keeps the focus from moving to the button, which is rendered anew when the overlay opens.
      event.preventDefault();
      open(false);
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (!overlay.keys.includes(event.key)) return;
      event.preventDefault();
      open(true);
    },
  };
  return { opened, open: () => open(false), triggerProps };
}
