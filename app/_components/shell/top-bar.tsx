import Link from 'next/link';
import { AccountMenu } from '@/app/_components/shell/account-menu';
import { Mark } from '@/app/_components/shell/brand';
import { LiveIndicator } from '@/app/_components/ui/live';

export interface TopBarProps {
  user: { name: string | null; email: string };
  teamName: string | null;
}

/** The team, how fresh the page is, and the account. */
export function TopBar({ user, teamName }: TopBarProps) {
  return (
    <header className="sticky top-0 z-20 flex h-(--topbar) items-center gap-2 border-b bg-surface px-3 sm:pr-4">
      <Link href="/monitors" aria-label="Upwatch" className="sm:hidden">
        <Mark />
      </Link>
      {teamName ? (
        <p className="flex min-w-0 items-center gap-2 px-2 font-medium">
          <span
            aria-hidden="true"
            className="grid size-5 shrink-0 place-items-center rounded-[5px] bg-inverse text-[10px] leading-none font-semibold text-inverse-ink"
          >
            {[...teamName][0]?.toUpperCase()}
          </span>
          <span className="sr-only">Team:</span>
          <span className="truncate">{teamName}</span>
        </p>
      ) : null}
      <span className="grow" />
      <LiveIndicator />
      <AccountMenu name={user.name} email={user.email} />
    </header>
  );
}
