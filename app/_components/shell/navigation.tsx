'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { followed } from '@/app/_components/forms/use-leave-guard';
import { toast } from '@/app/_components/toasts';
import { useLive } from '@/app/_trpc/live';

/** A page that is there sooner needs no sign that it is coming. */
const SLOW_AFTER_MS = 150;
/** After this the way has failed, or nobody waits for it any more. */
const LONGEST_MS = 30_000;
const PROBE_MS = 5_000;

/** Whether Upwatch answers at all. */
async function isReachable(): Promise<boolean> {
  try {
    const options = { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) } as const;
    return (await fetch('/api/health', options)).ok;
  } catch {
    return false;
  }
}

/**
 * Looks after the ways between pages: a bar shows that a slow one is under way, and a link that cannot be followed because
 * the network or Upwatch is away says so, where the router would leave for the browser's own error page.
 */
export function Navigation() {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams().toString();
  const live = useLive().kind;
  const isDoubtful = useRef(false);
  isDoubtful.current = live === 'reconnecting' || live === 'offline';
  const [goingSince, setGoingSince] = useState<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever page is there now, the way to it is over
  useEffect(() => setGoingSince(null), [pathname, search]);

  useEffect(() => {
    const refuse = () => toast({ message: 'You are offline. The page could not be opened.', failed: true });
    const onClick = async (event: MouseEvent) => {
      const url = followed(event);
      if (!url || (navigator.onLine && !isDoubtful.current)) return;
      event.preventDefault();
      event.stopPropagation();
      if (navigator.onLine && (await isReachable())) router.push(url.pathname + url.search + url.hash);
      else refuse();
    };
    // After the router: what it follows itself, it has prevented.
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

/** The bar at the top of a page that is being left. */
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
