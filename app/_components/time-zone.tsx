'use client';

import { createContext, useContext, useSyncExternalStore } from 'react';

const Chosen = createContext<string | undefined>(undefined);

/** Shows times in the zone that the person chose; null: in the browser's. */
export function TimeZoneProvider({ value, children }: { value: string | null; children: React.ReactNode }) {
  return <Chosen value={value ?? undefined}>{children}</Chosen>;
}

/** The zone that the person chose; undefined where the browser's counts. */
export function useChosenTimeZone(): string | undefined {
  return useContext(Chosen);
}

const never = () => () => undefined;

/** The zone times are shown in: the chosen one; else UTC on the server and in the first render, then the browser's (undefined). */
export function useTimeZone(): string | undefined {
  const chosen = useChosenTimeZone();
  return useSyncExternalStore(
    never,
    () => chosen,
    () => chosen ?? 'UTC',
  );
}
