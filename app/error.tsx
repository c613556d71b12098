'use client';

import { useEffect } from 'react';
import { Failed } from '@/app/_components/failed';

/** The digest of errors caused by the database (server/trpc/procedures.ts). */
const DATABASE_AWAY = 'UNAVAILABLE';
const RETRY_AFTER_MS = 5_000;

/** The error page. The log contains the error with the same digest. */
export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error && typeof error.digest === 'string' ? error.digest : null;
  const isAway = digest === DATABASE_AWAY;
  useEffect(() => {
    if (!isAway) return;
    const timer = setTimeout(retry, RETRY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isAway, retry]);
  return (
    <div className="mx-auto max-w-[640px] p-4 sm:pt-12">
      {isAway ? (
        <Failed title="Upwatch cannot reach its database" onRetry={retry}>
          Checks and alerts resume once it is back. Retrying every 5 s.
        </Failed>
      ) : (
        <Failed title="Could not load this page" onRetry={retry}>
          Monitoring is not affected.
          {digest ? (
            <>
              {' '}
              Error <span className="font-mono text-small">{digest}</span>.
            </>
          ) : null}
        </Failed>
      )}
    </div>
  );
}
