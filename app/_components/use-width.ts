'use client';

import { useEffect, useState } from 'react';

/** The width of an element in pixels and its ref; null on the server and in the first render. */
export function useWidth<Element extends HTMLElement>(): [(element: Element | null) => void, number | null] {
  const [element, setElement] = useState<Element | null>(null);
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width];
}
