'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';

export interface LinkTabsProps {
  /** The accessible name: "Settings". */
  label: string;
  tabs: readonly { href: string; label: string }[];
}

/** Underlined links to the pages of one area. On a narrow screen, the current one is scrolled to. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const pathname = usePathname();
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link is another one after a change of the path.
  useEffect(() => {
    const current = bar.current?.querySelector('[aria-current=page]');
    if (!bar.current || !current) return;
    const [outer, inner] = [bar.current.getBoundingClientRect(), current.getBoundingClientRect()];
    bar.current.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }, [pathname]);
  return (
    <nav
      ref={bar}
      aria-label={label}
      className="mb-5 flex print:hidden gap-0.5 overflow-x-auto border-b [scrollbar-width:none]"
    >
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
