'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { createContext, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { goToLogin } from '@/app/_trpc/go-to-login';
import { createThrottle } from '@/app/_trpc/throttle';

/** How fresh the page is. `starting`: not connected yet, and not for long. `asOf`: when the stream was last heard, ISO 8601. */
export type LiveState = { kind: 'starting' | 'live' | 'reconnecting' } | { kind: 'offline'; asOf: string };

const reconnectingAfterMs = 3_000;
const offlineAfterMs = 15_000;
const restartAfterMs = 5_000;
/** The least time between two rounds of reading again, so that a storm of events makes two a second. */
const flushEveryMs = 500;
/** The same while nobody looks: often enough for the title of a tab, without using up the person's limit in many tabs. */
const hiddenFlushEveryMs = 10_000;
/** After this the next round does not wait for the one before any longer. */
const longestReadMs = 10_000;

type Kind = 'monitor' | 'incident' | 'channel';
const everything: readonly Kind[] = ['monitor', 'incident', 'channel'];

const LiveContext = createContext<LiveState>({ kind: 'starting' });

/** The state of the page's live stream. */
export function useLive(): LiveState {
  return useContext(LiveContext);
}

/** Reads again what the events were about, at most twice a second, and every ten seconds in a hidden tab. */
function useRefresh(): (kinds: readonly Kind[]) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const throttle = useMemo(() => {
    // A reading that is under way is not called off: on a busy team the next page of a list would never arrive.
    const readAgain = async (filter: { queryKey?: readonly unknown[] }) => {
      const isBusy = queryClient.isFetching(filter) > 0;
      const invalidate = () => queryClient.invalidateQueries(filter, { cancelRefetch: false });
      await invalidate();
      // What was under way may have been read before the change.
      if (isBusy) await invalidate();
    };
    const everyMs = () => (document.hidden ? hiddenFlushEveryMs : flushEveryMs);
    return createThrottle<Kind>(everyMs, (kinds) => {
      const stale: ReturnType<typeof readAgain>[] = [];
      if (kinds.has('monitor') || kinds.has('incident')) stale.push(readAgain(trpc.monitors.pathFilter()));
      if (kinds.has('incident')) stale.push(readAgain(trpc.incidents.pathFilter()));
      if (kinds.has('channel')) stale.push(readAgain(trpc.notifications.pathFilter()));
      return Promise.race([Promise.all(stale), new Promise((resolve) => setTimeout(resolve, longestReadMs))]);
    });
  }, [trpc, queryClient]);
  useEffect(() => {
    const onShown = () => document.hidden || throttle.hurry();
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

/** Whether the browser has a network at all. */
function useOnline(): boolean {
  return useSyncExternalStore(
    whenOnlineChanges,
    () => navigator.onLine,
    () => true,
  );
}

/** Turns how long the stream has been silent into what the page says. */
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

/** One stream of the team's changes per page load; what is shown is read again when it changed. */
export function LiveProvider({ children }: { children: React.ReactNode }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const { status, error, reset } = useSubscription(
    trpc.live.events.subscriptionOptions(undefined, {
      onData: (message) => {
        // What happened before the stream began, or in a gap of it, was not told.
        if (message.kind === 'hello' || message.kind === 'resync') refresh(everything);
        else refresh([message.kind]);
      },
    }),
  );
  const ended = status === 'error' || status === 'idle';
  const restart = useRef(reset);
  restart.current = reset;
  useEffect(() => {
    if (!ended) return;
    if (error && readApiError(error).code === 'UNAUTHENTICATED') return goToLogin();
    const timer = setTimeout(() => {
      // Where the session is over, this says so, and the cache sends the person to sign in.
      refresh(['incident']);
      restart.current();
    }, restartAfterMs);
    return () => clearTimeout(timer);
  }, [ended, error, refresh]);
  const online = useOnline();
  const wasOffline = useRef(false);
  useEffect(() => {
    // A stream over a network that was gone may be silent for half a minute before it notices.
    if (online && wasOffline.current) restart.current();
    wasOffline.current = !online;
  }, [online]);
  const state = useLiveState(status === 'pending' && online);
  return <LiveContext value={state}>{children}</LiveContext>;
}
