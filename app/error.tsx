'use client';

import { Failed } from '@/app/_components/ui/failed';

/** A page that could not be shown. The digest stands beside the same error in the log. */
export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error && typeof error.digest === 'string' ? error.digest : null;
  return (
    <div className="mx-auto max-w-[640px] p-4 sm:pt-12">
      <Failed title="Could not show this page" onRetry={retry}>
        Monitoring goes on; only this page is missing.
        {digest ? (
          <>
            {' '}
            Error <span className="font-mono text-small">{digest}</span>.
          </>
        ) : null}
      </Failed>
    </div>
  );
}
