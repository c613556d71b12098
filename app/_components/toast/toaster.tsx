'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { Glyph } from '@/app/_components/status/glyph';
import { type Toast, toast, toastStore } from '@/app/_components/toast/toast';

const shownForMs = 10_000;

/** The toast region: bottom center, above the bottom bar. Mounted once in the root layout. */
export function Toaster() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.get, toastStore.getServer);
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-[calc(var(--bottombar)+12px+var(--bulk,0px)+env(safe-area-inset-bottom))] z-50 flex justify-center px-4 sm:bottom-[calc(16px+var(--bulk,0px))] print:hidden">
      {/* Both regions are always mounted: screen readers only announce changes in existing live regions. */}
      <div role="status" className="min-w-0">
        {shown && !shown.failed ? <ToastBox key={shown.key} shown={shown} /> : null}
      </div>
      <div role="alert" className="min-w-0">
        {shown?.failed ? <ToastBox key={shown.key} shown={shown} /> : null}
      </div>
    </div>
  );
}

function ToastBox({ shown }: { shown: Toast }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(toast.dismiss, shownForMs);
    return () => clearTimeout(timer);
  }, [held]);
  const state = shown.state ?? (shown.failed ? 'down' : undefined);
  const { action } = shown;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering and focusing only pause the timer
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={(event) => event.key === 'Escape' && toast.dismiss()}
      className="pointer-events-auto flex w-max max-w-[min(420px,100%)] animate-rise-in items-center gap-3 rounded-3 bg-inverse py-2.5 pr-2 pl-3.5 text-inverse-ink shadow-3 [--cut:var(--inverse)]"
    >
      <span className="flex min-w-0 items-start gap-2 pr-1.5">
        {state ? <Glyph state={state} className="mt-[3px] text-current" /> : null}
        <span className="min-w-0 [overflow-wrap:anywhere]">{shown.message}</span>
      </span>
      {action ? (
        <button
          type="button"
          onClick={() => {
            toast.dismiss();
            action.onClick();
          }}
          className="h-10 shrink-0 rounded-[5px] border border-inverse-border px-2.5 font-medium whitespace-nowrap hover:bg-inverse-hover sm:h-[26px]"
        >
          {action.label}
        </button>
      ) : null}
    </div>
  );
}
