'use client';

import { createContext, useContext, useSyncExternalStore } from 'react';
import { formatAgo, formatDuration, formatTimestamp } from '@/app/_components/format';
import { useChosenTimeZone, useFirstTimeZone } from '@/app/_components/time/time-zone';

const RenderedAt = createContext(0);

/** Provides the server's render time (Unix ms), so that the browser's first render is equal. */
export function RenderedAtProvider({ value, children }: { value: number; children: React.ReactNode }) {
  return <RenderedAt value={value}>{children}</RenderedAt>;
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function everySecond(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A text derived from the current time. Renders only when the text changes; the first render matches the server. */
export function useClockText(format: (nowMs: number) => string): string {
  const renderedAt = useContext(RenderedAt);
  return useSyncExternalStore(
    everySecond,
    () => format(Date.now()),
    () => format(renderedAt),
  );
}

/** Full timestamps do not change over time. */
function never() {
  return () => {};
}

interface TimeProps {
  /** ISO 8601. */
  at: string;
  className?: string;
}

function Time({ at, className, children }: TimeProps & { children: React.ReactNode }) {
  const renderedAt = useContext(RenderedAt);
  const chosen = useChosenTimeZone();
  const first = useFirstTimeZone();
  const title = useSyncExternalStore(
    never,
    () => formatTimestamp(at, { style: 'full', now: 0, ...(chosen && { timeZone: chosen }) }),
    () => formatTimestamp(at, { style: 'full', now: renderedAt, timeZone: first }),
  );
  return (
    <time dateTime={at} title={title} className={className}>
      <span className="num whitespace-nowrap">{children}</span>
    </time>
  );
}

/** The live duration since a time, short: "14 min". */
export function Elapsed({ at, className }: TimeProps) {
  const text = useClockText((now) => formatDuration((now - Date.parse(at)) / 1000));
  return (
    <Time at={at} {...(className && { className })}>
      {text}
    </Time>
  );
}

/** A live relative time: "8 s ago". */
export function RelativeTime({ at, className }: TimeProps) {
  const text = useClockText((now) => formatAgo((now - Date.parse(at)) / 1000));
  return (
    <Time at={at} {...(className && { className })}>
      {text}
    </Time>
  );
}

function useTimestamp(at: string, style: 'short' | 'full'): string {
  const renderedAt = useContext(RenderedAt);
  const chosen = useChosenTimeZone();
  const first = useFirstTimeZone();
  return useSyncExternalStore(
    everySecond,
    () => formatTimestamp(at, { style, now: Date.now(), ...(chosen && { timeZone: chosen }) }),
    () => formatTimestamp(at, { style, now: renderedAt, timeZone: first }),
  );
}

/** A timestamp in the time zone of the profile or the browser: "03:16:20" for today, otherwise with the date. */
export function Timestamp({ at, full, className }: TimeProps & { full?: boolean }) {
  const text = useTimestamp(at, full ? 'full' : 'short');
  return (
    <Time at={at} {...(className && { className })}>
      {text}
    </Time>
  );
}
