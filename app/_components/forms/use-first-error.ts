'use client';

import { useEffect, useRef } from 'react';

/**
 * A ref for the form that focuses the first invalid field in page order after each submission. The library would go by the
 * order in which the fields were registered.
 */
export function useFirstError(submitCount: number) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Buttons cannot be invalid to screen readers, and say so by an attribute of ours.
    const invalid = '[aria-invalid="true"], [data-invalid]';
    if (submitCount > 0) form.current?.querySelector<HTMLElement>(invalid)?.focus();
  }, [submitCount]);
  return form;
}
