'use client';

import Link from 'next/link';
import { useState } from 'react';
import { endSession } from '@/app/_components/end-session';
import type { Destination } from '@/app/_components/shell/destinations';
import { useTheme } from '@/app/_components/shell/use-theme';
import type { Theme } from '@/app/_components/theme';
import { toast } from '@/app/_components/toast/toast';
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuRadioGroup,
  DropdownMenuSeparator,
} from '@/app/_components/ui/dropdown-menu';

const themeOptions: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export interface AccountMenuProps {
  name: string | null;
  email: string;
  /** The links of the menu besides the account. */
  rest: readonly Destination[];
  /** Opens the keyboard shortcuts. */
  onShortcuts: () => void;
}

/** The account menu: user, rarely used pages, theme and sign-out. */
export function AccountMenu({ name, email, rest, onShortcuts }: AccountMenuProps) {
  const [theme, setTheme] = useTheme();
  const [leaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    endSession().then(
      () => window.location.assign('/login'),
      () => {
        setLeaving(false);
        toast.error('Could not sign out: Upwatch did not respond.');
      },
    );
  };
  return (
    <DropdownMenu
      trigger={
        <button
          type="button"
          aria-busy={leaving || undefined}
          className="-m-[7px] grid size-10 shrink-0 place-items-center rounded-pill focus-visible:rounded-pill sm:m-0 sm:size-[26px]"
        >
          <span className="sr-only">Account of {name ?? email}</span>
          <span
            aria-hidden="true"
            className="grid size-[26px] place-items-center rounded-pill border border-accent-border bg-accent-subtle text-[10px] leading-none font-semibold text-accent-fg"
          >
            {initials(name, email)}
          </span>
        </button>
      }
    >
      <div className="px-2 py-1.5">
        {name ? <p className="truncate font-medium">{name}</p> : null}
        <p className="truncate text-small text-muted">{email}</p>
      </div>
      <DropdownMenuSeparator />
      <DropdownMenuItem asChild>
        <Link href="/settings/account">Account</Link>
      </DropdownMenuItem>
      {rest.map(({ href, label }) => (
        <DropdownMenuItem key={href} asChild>
          <Link href={href}>{label}</Link>
        </DropdownMenuItem>
      ))}
      <DropdownMenuItem onSelect={onShortcuts}>Keyboard shortcuts</DropdownMenuItem>
      <DropdownMenuSeparator />
      <DropdownMenuRadioGroup label="Theme" options={themeOptions} value={theme} onValueChange={setTheme} />
      <DropdownMenuSeparator />
      <DropdownMenuItem onSelect={leave}>Sign out</DropdownMenuItem>
    </DropdownMenu>
  );
}

/** The initials of a user: from the first and last word of the name, else from the email address. */
function initials(name: string | null, email: string): string {
  const words = (name?.trim() || email.split('@')[0] || '').split(/[\s._-]+/).filter(Boolean);
  const letters =
    words.length > 1
      ? [words.at(0), words.at(-1)].map((word) => [...(word ?? '')][0])
      : [...(words[0] ?? '')].slice(0, 2);
  return letters.join('').toUpperCase();
}
