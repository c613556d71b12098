'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useState, useTransition } from 'react';
import { z } from 'zod';
import { utcSecond } from './words';

/** How often an open page asks whether it is still true: with what the server keeps, a change shows within two seconds. */
const askEveryMs = 1_500;
const askAgainMs = 5_000;
/** After so many questions in a row without an answer the page says so. */
const patience = 2;

const Answer = z.object({ version: z.string(), checkedAt: z.string().nullable() });

/** When the page was last checked, and what keeps it true: it is read again as soon as anything on it has changed. */
export function Fresh({ slug, version, checkedAt }: { slug: string; version: string; checkedAt: string | null }) {
  const router = useRouter();
  const [isRefreshing, startRefresh] = useTransition();
  const [heard, setHeard] = useState<string | null>(null);
  const [failures, setFailures] = useState(0);

  /** Asks once; gives back how long to wait until the next time, in milliseconds. */
  const ask = useEffectEvent(async (signal: AbortSignal): Promise<number> => {
    try {
      const response = await fetch(`/status/${slug}/version`, { cache: 'no-cache', signal });
      if (response.status === 404) window.location.reload();
      const answer = Answer.parse(await response.json());
      setFailures(0);
      setHeard(answer.checkedAt);
      if (answer.version !== version && !isRefreshing) startRefresh(() => router.refresh());
      return askEveryMs;
    } catch {
      if (!signal.aborted) setFailures((count) => count + 1);
      return askAgainMs;
    }
  });

  useEffect(() => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let isAsking = false;
    async function run() {
      clearTimeout(timer);
      if (document.hidden || isAsking) return;
      isAsking = true;
      const wait = await ask(ended.signal);
      isAsking = false;
      if (!ended.signal.aborted) timer = setTimeout(run, wait);
    }
    timer = setTimeout(run, askEveryMs);
    // A page in the background asks nothing, and makes up for it when somebody looks.
    document.addEventListener('visibilitychange', run, { signal: ended.signal });
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, []);

  const at = heard !== null && (checkedAt === null || heard > checkedAt) ? heard : checkedAt;
  return (
    <p className="num text-body text-muted">
      {at === null ? 'No check was made yet.' : `Checked at ${utcSecond(at)}.`}
      {failures > patience ? ' This page cannot be reached just now; it may have changed since.' : null}
    </p>
  );
}
