'use client';

import { useEffect, useRef } from 'react';

/**
 * A ref for the form. Focuses the first invalid field in page order after each submission, because the library would use the order of registration.
 */
export function useFirstError(submitCount: number) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Buttons cannot have `aria-invalid`, so they use an attribute of ours.
    const invalid = '[aria-invalid="true"], [data-invalid]';
    if (submitCount > 0) form.current?.querySelector<HTMLElement>(invalid)?.focus();
  }, [submitCount]);
  return form;
}
