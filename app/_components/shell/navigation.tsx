'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { followed } from '@/app/_components/forms/use-leave-guard';
import { toast } from '@/app/_components/toast/toast';
import { useLive } from '@/app/_trpc/live';

/** Pages that load faster show no progress bar. */
const SLOW_AFTER_MS = 150;
/** The progress bar disappears after this time. */
const LONGEST_MS = 30_000;
const PROBE_MS = 5_000;

/** Whether the server responds. */
async function isReachable(): Promise<boolean> {
  try {
    const options = { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) } as const;
    return (await fetch('/api/health', options)).ok;
  } catch {
    return false;
  }
}

/** Shows a progress bar for slow navigations. If the network or server is unavailable, shows an error instead of the browser's error page. */
export function Navigation() {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams().toString();
  const live = useLive().kind;
  const isDoubtful = useRef(false);
  isDoubtful.current = live === 'reconnecting' || live === 'offline';
  const [goingSince, setGoingSince] = useState<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: any new page ends the navigation
  useEffect(() => setGoingSince(null), [pathname, search]);

  useEffect(() => {
    const refuse = () => toast.error('You are offline. The page could not be opened.');
    const onClick = async (event: MouseEvent) => {
      const url = followed(event);
      if (!url || (navigator.onLine && !isDoubtful.current)) return;
      event.preventDefault();
      event.stopPropagation();
      if (navigator.onLine && (await isReachable())) router.push(url.pathname + url.search + url.hash);
      else refuse();
    };
    // Runs after the router, which prevents the default action of links that it handles.
    const onFollowed = (event: MouseEvent) => {
      if (event.defaultPrevented && followed(event, { prevented: true })) setGoingSince(performance.now());
    };
    document.addEventListener('click', onClick, { capture: true });
    window.addEventListener('click', onFollowed);
    return () => {
      document.removeEventListener('click', onClick, { capture: true });
      window.removeEventListener('click', onFollowed);
    };
  }, [router]);

  return goingSince === null ? null : <Progress key={goingSince} onEnd={() => setGoingSince(null)} />;
}

/** The progress bar at the top of the page. */
function Progress({ onEnd }: { onEnd: () => void }) {
  const [isShown, setShown] = useState(false);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    const timers = [setTimeout(() => setShown(true), SLOW_AFTER_MS), setTimeout(() => end.current(), LONGEST_MS)];
    return () => timers.forEach(clearTimeout);
  }, []);
  if (!isShown) return null;
  return (
    <div role="progressbar" aria-label="Loading page" className="fixed inset-x-0 top-0 z-60 h-0.5 overflow-hidden">
      <div className="h-full w-1/3 animate-progress bg-accent" />
    </div>
  );
}
