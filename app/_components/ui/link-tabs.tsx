'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

export interface LinkTabsProps {
  /** The accessible name: "Settings". */
  label: string;
  tabs: readonly { href: string; label: string }[];
}

/** Underlined links to the pages of one area. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const pathname = usePathname();
  return (
    <nav aria-label={label} className="mb-5 flex print:hidden gap-0.5 overflow-x-auto border-b [scrollbar-width:none]">
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          aria-current={pathname === tab.href || pathname.startsWith(`${tab.href}/`) ? 'page' : undefined}
          className="relative inline-flex h-11 shrink-0 items-center px-2.5 font-medium whitespace-nowrap text-muted first:pl-0.5 after:absolute after:inset-x-2.5 first:after:left-0.5 after:bottom-0 after:h-0.5 hover:text-ink focus-inset aria-[current=page]:text-ink aria-[current=page]:after:bg-accent sm:h-9"
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
