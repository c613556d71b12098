'use client';

import { useEffect, useRef } from 'react';

/**
 * A ref for the form that focuses the first invalid field in page order after each submission. The library would go by the
 * order in which the fields were registered.
 */
export function useFirstError(submitCount: number) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (submitCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount]);
  return form;
}
