import Link from 'next/link';
import { AccountMenu, type AccountMenuProps } from '@/app/_components/shell/account-menu';
import { Mark } from '@/app/_components/shell/brand';
import { Crumb } from '@/app/_components/shell/crumb';
import { LiveIndicator } from '@/app/_components/shell/live-indicator';
import { TeamSwitcher, type TeamSwitcherProps } from '@/app/_components/shell/team-switcher';
import { Icon } from '@/app/_components/ui/icon';
import { Kbd, ModKey } from '@/app/_components/ui/kbd';

export interface TopBarProps extends TeamSwitcherProps {
  user: { name: string | null; email: string };
  /** The links of the account menu. */
  rest: AccountMenuProps['rest'];
  onShortcuts: AccountMenuProps['onShortcuts'];
  /** Opens the command palette, and loads it. */
  onSearch: () => void;
  onPrepareSearch: () => void;
}

/** Team switcher, live indicator, search and account menu. */
export function TopBar({ user, rest, teamId, teams, ...props }: TopBarProps) {
  return (
    <header className="sticky top-0 z-20 flex h-(--topbar) items-center gap-2 border-b bg-surface px-3 sm:pr-4 print:hidden">
      <Link href="/monitors" aria-label="Upwatch" className="sm:hidden">
        <Mark />
      </Link>
      <TeamSwitcher teamId={teamId} teams={teams} />
      <Crumb />
      <span className="grow" />
      <LiveIndicator />
      <button
        type="button"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={props.onSearch}
        onPointerEnter={props.onPrepareSearch}
        onFocus={props.onPrepareSearch}
        className="inline-flex h-10 min-w-10 items-center justify-center gap-2 rounded-2 px-2 text-muted hover:bg-active hover:text-ink sm:h-8 sm:min-w-8 lg:border lg:border-strong lg:bg-surface"
      >
        <Icon name="search" />
        <span className="max-lg:sr-only">Search</span>
        <span className="flex items-center gap-1 max-lg:hidden">
          <ModKey /> <Kbd>K</Kbd>
        </span>
      </button>
      <AccountMenu name={user.name} email={user.email} rest={rest} onShortcuts={props.onShortcuts} />
    </header>
  );
}
