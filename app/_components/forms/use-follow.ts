'use client';

import { useEffect, useRef } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/** Updates a form with the latest values until the user types. */
export function useFollow<Fields extends FieldValues, Output>(
  form: UseFormReturn<Fields, unknown, Output>,
  latest: Fields,
): void {
  const { isDirty } = form.formState;
  const key = JSON.stringify(latest);
  const shown = useRef(key);
  useEffect(() => {
    if (isDirty || key === shown.current) return;
    shown.current = key;
    form.reset(JSON.parse(key) as Fields);
  }, [form, isDirty, key]);
}
