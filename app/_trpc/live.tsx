'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { createContext, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { goToLogin } from '@/app/_trpc/go-to-login';
import { type Change, everything, isChanged } from '@/app/_trpc/live-queries';
import { createThrottle } from '@/app/_trpc/throttle';

/** The state of live updates. `starting`: connecting for the first time. `asOf`: when the last message arrived, ISO 8601. */
export type LiveState = { kind: 'starting' | 'live' | 'reconnecting' } | { kind: 'offline'; asOf: string };

const reconnectingAfterMs = 3_000;
const offlineAfterMs = 15_000;
/** The delay before a stream that ended or was refused is opened again: the first time, and every later time. */
const restartAfterMs = { first: 5_000, later: 30_000 };
/** The minimum time between two refetches, which limits bursts of events to two refetches per second. */
const flushEveryMs = 500;
/** For hidden tabs: often enough for the tab's title, and rarely enough for many tabs to stay within the rate limit. */
const hiddenFlushEveryMs = 10_000;
/** After this time, a refetch no longer waits for the previous one. */
const longestReadMs = 10_000;

const LiveContext = createContext<LiveState>({ kind: 'starting' });

/** The state of the page's live stream. */
export function useLive(): LiveState {
  return useContext(LiveContext);
}

/** Reloads the queries that show changed objects, at most twice per second, or every ten seconds in a hidden tab. */
function useRefresh(): (changes: readonly Change[]) => void {
  const queryClient = useQueryClient();
  const throttle = useMemo(() => {
    const everyMs = () => (document.hidden ? hiddenFlushEveryMs : flushEveryMs);
    return createThrottle<Change>(everyMs, (changes) => {
      const changed = queryClient
        .getQueryCache()
        .findAll({ predicate: ({ queryKey }) => isChanged(queryKey, changes) });
      // Does not cancel running fetches, because on a busy team the next page of a list would never load.
      const readAgain = async ({ queryKey }: (typeof changed)[number], isBusy: boolean) => {
        const invalidate = () => queryClient.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
        await invalidate();
        // A running fetch may have read the state before the change.
        if (isBusy) await invalidate();
      };
      const read = changed.map((query) => readAgain(query, query.state.fetchStatus !== 'idle'));
      return Promise.race([Promise.all(read), new Promise((resolve) => setTimeout(resolve, longestReadMs))]);
    });
  }, [queryClient]);
  useEffect(() => {
    const onShown = () => document.hidden || throttle.flush();
    document.addEventListener('visibilitychange', onShown);
    return () => {
      document.removeEventListener('visibilitychange', onShown);
      throttle.stop();
    };
  }, [throttle]);
  return throttle.add;
}

function whenOnlineChanges(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Whether the browser is connected to a network. */
function useOnline(): boolean {
  return useSyncExternalStore(
    whenOnlineChanges,
    () => navigator.onLine,
    () => true,
  );
}

/** Derives the live state from the time since the last message. */
function useLiveState(connected: boolean): LiveState {
  const [state, setState] = useState<LiveState>({ kind: 'starting' });
  useEffect(() => {
    if (connected) {
      setState({ kind: 'live' });
      return;
    }
    const asOf = new Date().toISOString();
    const timers = [
      setTimeout(() => setState({ kind: 'reconnecting' }), reconnectingAfterMs),
      setTimeout(() => setState({ kind: 'offline', asOf }), offlineAfterMs),
    ];
    return () => timers.forEach(clearTimeout);
  }, [connected]);
  return state;
}

/** Opens one event stream per page load and reloads affected queries. */
export function LiveProvider({ children }: { children: React.ReactNode }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const failures = useRef(0);
  const { status, error, reset } = useSubscription(
    trpc.live.events.subscriptionOptions(undefined, {
      onData: (message) => {
        failures.current = 0;
        // Changes before the start of the stream, or during a gap, were missed.
        if (message.kind === 'hello' || message.kind === 'resync') refresh(everything);
        else refresh(message.ids.map((id): Change => `${message.kind}:${id}`));
      },
    }),
  );
  const ended = status === 'error' || status === 'idle';
  const restart = useRef(reset);
  restart.current = reset;
  useEffect(() => {
    if (!ended) return;
    if (error && readApiError(error).code === 'UNAUTHENTICATED') return goToLogin();
    failures.current += 1;
    const timer = setTimeout(
      () => {
        // Without a stream, the page polls. If the session has ended, a query fails and opens the sign-in page.
        refresh(everything);
        restart.current();
      },
      failures.current === 1 ? restartAfterMs.first : restartAfterMs.later,
    );
    return () => clearTimeout(timer);
  }, [ended, error, refresh]);
  const online = useOnline();
  const wasOffline = useRef(false);
  useEffect(() => {
    // A stream may take half a minute to detect a lost network.
    if (online && wasOffline.current) restart.current();
    wasOffline.current = !online;
  }, [online]);
  const state = useLiveState(status === 'pending' && online);
  return <LiveContext value={state}>{children}</LiveContext>;
}
