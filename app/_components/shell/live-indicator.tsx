'use client';

import { Glyph } from '@/app/_components/status/glyph';
import { Timestamp } from '@/app/_components/time/time';
import { useLive } from '@/app/_trpc/live';

/** The state of the live updates: a dot while connected, a label otherwise. */
export function LiveIndicator() {
  const live = useLive();
  return (
    <span role="status" className="inline-flex items-center gap-[7px] px-1 text-small whitespace-nowrap text-muted">
      {live.kind === 'live' ? (
        <>
          <i className="relative size-[7px] rounded-pill bg-up-solid after:absolute after:-inset-[3px] after:animate-live after:rounded-pill after:border after:border-up-solid after:opacity-0 motion-reduce:after:animate-none" />
          <span>Live</span>
        </>
      ) : null}
      {live.kind === 'reconnecting' ? (
        <>
          <Glyph state="pending" size="small" />
          <span>Reconnecting</span>
        </>
      ) : null}
      {live.kind === 'offline' ? (
        <>
          <Glyph state="unknown" size="small" />
          <span className="text-unknown-fg">
            Offline
            <span className="max-sm:sr-only">
              , as of <Timestamp at={live.asOf} />
            </span>
          </span>
        </>
      ) : null}
    </span>
  );
}
