'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** The zone times are shown in: UTC on the server and in the first render, then the person's own (undefined). */
export function useTimeZone(): string | undefined {
  return useSyncExternalStore(
    never,
    () => undefined,
    () => 'UTC',
  );
}
