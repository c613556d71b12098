'use client';

import { useEffect } from 'react';

/** Keeps the document's title up to date where it tells what goes on: "2 down · Monitors · Upwatch". */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
