'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { cn } from '@/app/_components/cn';

export interface TabsProps {
  /** The accessible name. */
  label: string;
  /** `drops` are search parameters that belong to another tab. */
  tabs: readonly { value: string; label: React.ReactNode; drops?: readonly string[] }[];
  /** The search parameter that holds the choice; the first tab is the URL without it. */
  param?: string;
  className?: string;
}

/** The selected tab: the search parameter if it names a tab, else the first tab. */
export function useTab<Value extends string>(values: readonly [Value, ...Value[]], param = 'tab'): Value {
  const wanted = useSearchParams().get(param);
  return values.find((value) => value === wanted) ?? values[0];
}

/** Underlined tabs that live in the URL, so that back, reload and a copied link keep the view. They are links. */
export function Tabs({ label, tabs, param = 'tab', className }: TabsProps) {
  const pathname = usePathname();
  const search = useSearchParams();
  const wanted = search.get(param);
  const current = tabs.find((tab) => tab.value === wanted) ?? tabs[0];
  return (
    <nav
      aria-label={label}
      className={cn('flex print:hidden gap-0.5 overflow-x-auto border-b [scrollbar-width:none]', className)}
    >
      {tabs.map((tab, index) => {
        const query = new URLSearchParams(search);
        for (const each of tab.drops ?? []) query.delete(each);
        if (index === 0) query.delete(param);
        else query.set(param, tab.value);
        const text = query.toString();
        return (
          <Link
            key={tab.value}
            href={text ? `${pathname}?${text}` : pathname}
            scroll={false}
            aria-current={tab === current || undefined}
            className="relative inline-flex h-11 shrink-0 items-center gap-1.5 px-2.5 font-medium whitespace-nowrap text-muted first:pl-0.5 after:absolute after:inset-x-2.5 first:after:left-0.5 after:bottom-0 after:h-0.5 hover:text-ink focus-inset aria-current:text-ink aria-current:after:bg-accent sm:h-9"
          >
            {tab.label}
          </Link>
        );
      })}
    </nav>
  );
}
