'use client';

import { useState } from 'react';
import { KeysProvider } from '@/app/_components/keys';
import { usePalette } from '@/app/_components/palette/open-palette';
import { BottomBar } from '@/app/_components/shell/bottom-bar';
import { destinations } from '@/app/_components/shell/destinations';
import { Navigation } from '@/app/_components/shell/navigation';
import { railCookie } from '@/app/_components/shell/rail';
import { Sidebar } from '@/app/_components/shell/sidebar';
import { TopBar, type TopBarProps } from '@/app/_components/shell/top-bar';
import { UnresolvedAtFirst, useUnresolvedIncidents } from '@/app/_components/shell/unresolved-incidents';
import { useAppKeys } from '@/app/_components/shell/use-app-keys';
import { rememberChoice } from '@/app/_components/shell/use-theme';
import { lazyPart } from '@/app/_components/ui/lazy-part';
import { usePreparedOverlays } from '@/app/_components/ui/use-prepared-overlays';
import { useFavicon } from '@/app/_components/use-favicon';

// Loaded when it is opened for the first time.
const ShortcutsSheet = lazyPart(() => import('./shortcuts-sheet').then((module) => module.ShortcutsSheet));

export interface AppFrameProps extends Omit<TopBarProps, 'rest' | 'onShortcuts' | 'onSearch' | 'onPrepareSearch'> {
  isAdmin: boolean;
  /** Whether the person may change objects of the team. */
  canWrite: boolean;
  /** Whether the sidebar is collapsed to the rail. */
  collapsed: boolean;
  /** Whether single-key shortcuts are on. */
  keysOn: boolean;
  /** The number of unresolved incidents when the server rendered the page. */
  unresolvedIncidents: number | undefined;
  children: React.ReactNode;
}

/** The dashboard's frame: sidebar or rail, top bar and content, and on phones a bottom bar. */
export function AppFrame({ keysOn, unresolvedIncidents, ...frame }: AppFrameProps) {
  return (
    <KeysProvider initial={keysOn}>
      <UnresolvedAtFirst value={unresolvedIncidents}>
        <Frame {...frame} />
      </UnresolvedAtFirst>
    </KeysProvider>
  );
}

function Frame({
  isAdmin,
  canWrite,
  collapsed,
  user,
  teamId,
  teams,
  children,
}: Omit<AppFrameProps, 'keysOn' | 'unresolvedIncidents'>) {
  usePreparedOverlays();
  const [isSheetOpen, setSheetOpen] = useState<boolean | null>(null);
  const [rail, setRail] = useState(collapsed);
  const { main, rest } = destinations({ isAdmin, hasTeam: teamId !== null });
  const collapse = (next: boolean) => {
    setRail(next);
    rememberChoice(railCookie, next ? '1' : '0');
  };
  useAppKeys({ onSheet: () => setSheetOpen(true), onSidebar: () => collapse(!rail) });
  const palette = usePalette({
    pages: [...main, ...rest],
    hasTeam: teamId !== null,
    canWrite: canWrite && teamId !== null,
    onShortcuts: () => setSheetOpen(true),
  });
  return (
    <>
      {teamId === null ? null : <Favicon />}
      <Navigation />
      <a
        href="#content"
        className="fixed -top-16 left-3 z-60 print:hidden rounded-2 bg-inverse px-3 py-2 text-inverse-ink focus:top-2 focus-visible:rounded-2"
      >
        Skip to content
      </a>
      <div
        data-rail={rail || undefined}
        className="group/app grid min-h-dvh print:block grid-cols-[minmax(0,1fr)] sm:grid-cols-[var(--rail)_minmax(0,1fr)] xl:not-data-rail:grid-cols-[var(--sidebar)_minmax(0,1fr)]"
      >
        <Sidebar main={main} rest={rest} collapsed={rail} onCollapse={collapse} />
        <div className="min-w-0 bg-surface print:border-0 print:pb-0 pb-[calc(var(--bottombar)+24px+env(safe-area-inset-bottom))] sm:border-l sm:pb-10">
          <TopBar
            user={user}
            rest={rest}
            teamId={teamId}
            teams={teams}
            onShortcuts={() => setSheetOpen(true)}
            onSearch={palette.show}
            onPrepareSearch={palette.prepare}
          />
          <main id="content" tabIndex={-1} className="page focus:outline-none">
            {children}
          </main>
        </div>
        {main.length > 0 ? <BottomBar main={main} /> : null}
      </div>
      {palette.element}
      {isSheetOpen === null ? null : <ShortcutsSheet open={isSheetOpen} onClose={() => setSheetOpen(false)} />}
    </>
  );
}

/** A favicon that shows whether an incident is open. */
function Favicon() {
  useFavicon(useUnresolvedIncidents() > 0);
  return null;
}
