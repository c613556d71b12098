import Link from 'next/link';
import { AccountMenu, type AccountMenuProps } from '@/app/_components/shell/account-menu';
import { Mark } from '@/app/_components/shell/brand';
import { Crumb } from '@/app/_components/shell/crumb';
import { LiveIndicator } from '@/app/_components/shell/live-indicator';
import { TeamSwitcher, type TeamSwitcherProps } from '@/app/_components/shell/team-switcher';

export interface TopBarProps extends TeamSwitcherProps {
  user: { name: string | null; email: string };
  /** The links of the account menu. */
  rest: AccountMenuProps['rest'];
  onShortcuts: AccountMenuProps['onShortcuts'];
}

/** Team switcher, live indicator and account menu. */
export function TopBar({ user, rest, teamId, teams, onShortcuts }: TopBarProps) {
  return (
    <header className="sticky top-0 z-20 flex h-(--topbar) items-center gap-2 border-b bg-surface px-3 sm:pr-4 print:hidden">
      <Link href="/monitors" aria-label="Upwatch" className="sm:hidden">
        <Mark />
      </Link>
      <TeamSwitcher teamId={teamId} teams={teams} />
      <Crumb />
      <span className="grow" />
      <LiveIndicator />
      <AccountMenu name={user.name} email={user.email} rest={rest} onShortcuts={onShortcuts} />
    </header>
  );
}
