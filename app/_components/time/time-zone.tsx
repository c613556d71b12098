'use client';

import { createContext, useContext, useSyncExternalStore } from 'react';

const Chosen = createContext<string | undefined>(undefined);

/** Provides the time zone of the user's profile; null for the browser's. */
export function TimeZoneProvider({ value, children }: { value: string | null; children: React.ReactNode }) {
  return <Chosen value={value ?? undefined}>{children}</Chosen>;
}

/** The time zone of the profile; undefined for the browser's. */
export function useChosenTimeZone(): string | undefined {
  return useContext(Chosen);
}

const never = () => () => undefined;

/** The displayed time zone: the profile's; otherwise UTC on the server and in the first render, then the browser's (undefined). */
export function useTimeZone(): string | undefined {
  const chosen = useChosenTimeZone();
  return useSyncExternalStore(
    never,
    () => chosen,
    () => chosen ?? 'UTC',
  );
}
