'use client';

import { useEffect } from 'react';

/** Updates the document title: "2 down · Monitors · Upwatch". */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
