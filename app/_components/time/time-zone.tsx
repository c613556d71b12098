'use client';

import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import { rememberChoice } from '@/app/_components/shell/use-theme';
import { zoneCookie } from '@/app/_components/time/zone-cookie';

const Chosen = createContext<string | undefined>(undefined);
const Visited = createContext('UTC');

/** Provides the time zone of the user's profile; null for the browser's. */
export function TimeZoneProvider({ value, children }: { value: string | null; children: React.ReactNode }) {
  return <Chosen value={value ?? undefined}>{children}</Chosen>;
}

/**
 * Provides the browser's time zone for the server's render, and keeps it in a cookie for the next page.
 * @param value the zone in the cookie; null on the first visit
 */
export function VisitedZoneProvider({ value, children }: { value: string | null; children: React.ReactNode }) {
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (timeZone && timeZone !== value) rememberChoice(zoneCookie, timeZone);
  }, [value]);
  return <Visited value={value ?? 'UTC'}>{children}</Visited>;
}

/** The time zone of the profile; undefined for the browser's. */
export function useChosenTimeZone(): string | undefined {
  return useContext(Chosen);
}

/** The time zone of the server's render and of the first one in the browser: the profile's, or the browser's at the last visit, or UTC. */
export function useFirstTimeZone(): string {
  const visited = useContext(Visited);
  return useContext(Chosen) ?? visited;
}

const never = () => () => undefined;

/** The displayed time zone: the profile's; otherwise that of the first render, then the browser's (undefined). */
export function useTimeZone(): string | undefined {
  const chosen = useChosenTimeZone();
  const first = useFirstTimeZone();
  return useSyncExternalStore(
    never,
    () => chosen,
    () => first,
  );
}
