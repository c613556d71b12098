'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { Fragment, useEffect, useRef } from 'react';
import { cn } from '@/app/_components/cn';

export interface TabLink {
  href: string;
  label: React.ReactNode;
  /** The value of aria-current. */
  current: 'page' | true | undefined;
  /** The heading of the group that begins with this tab: "Team". */
  group?: string;
  /** Shows the tab without a request, instead of following the link. */
  show?: () => void;
}

interface TabLinksProps {
  label: string;
  tabs: TabLink[];
  scroll: boolean;
  className?: string | undefined;
}

/** Underlined links. Scrolls to the current one on narrow screens. */
export function TabLinks({ label, tabs, scroll, className }: TabLinksProps) {
  const bar = useRef<HTMLElement>(null);
  const chosen = tabs.find(({ current }) => current)?.href;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed URL changes the current link.
  useEffect(() => {
    const current = bar.current?.querySelector('[aria-current]');
    if (!bar.current || !current) return;
    const [outer, inner] = [bar.current.getBoundingClientRect(), current.getBoundingClientRect()];
    bar.current.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }, [chosen]);
  return (
    <nav
      ref={bar}
      aria-label={label}
      className={cn('flex print:hidden gap-0.5 overflow-x-auto border-b [scrollbar-width:none]', className)}
    >
      {tabs.map((tab) => (
        <Fragment key={tab.href}>
          {tab.group ? (
            <span className="shrink-0 self-center pr-1 pl-4 text-small text-faint first:pl-0.5">{tab.group}</span>
          ) : null}
          <Link
            href={tab.href}
            scroll={scroll}
            aria-current={tab.current}
            {...(tab.show && {
              prefetch: false,
              onNavigate: (event) => {
                event.preventDefault();
                tab.show?.();
              },
            })}
            className="relative inline-flex h-11 shrink-0 items-center gap-1.5 px-2.5 font-medium whitespace-nowrap text-muted first:pl-0.5 after:absolute after:inset-x-2.5 first:after:left-0.5 after:bottom-0 after:h-0.5 hover:text-ink focus-inset aria-[current]:text-ink aria-[current]:after:bg-accent sm:h-9"
          >
            {tab.label}
          </Link>
        </Fragment>
      ))}
    </nav>
  );
}

export interface LinkTabsProps {
  /** The accessible name: "Settings". */
  label: string;
  tabs: readonly { href: string; label: string; group?: string }[];
}

/** Tabs for the pages of an area. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const pathname = usePathname();
  const isCurrent = (href: string) => pathname === href || pathname.startsWith(`${href}/`);
  const links = tabs.map((tab) => ({ ...tab, current: isCurrent(tab.href) ? ('page' as const) : undefined }));
  return <TabLinks label={label} tabs={links} scroll className="mb-5" />;
}

export interface TabsProps {
  /** The accessible name. */
  label: string;
  /** `drops` are search parameters of other tabs. */
  tabs: readonly { value: string; label: React.ReactNode; drops?: readonly string[] }[];
  /** The search parameter that stores the choice. The URL of the first tab has none. */
  param?: string;
  className?: string;
}

/** The selected tab: the search parameter if it names a tab, else the first tab. */
export function useTab<Value extends string>(values: readonly [Value, ...Value[]], param = 'tab'): Value {
  const wanted = useSearchParams().get(param);
  return values.find((value) => value === wanted) ?? values[0];
}

/** Tabs of one page, stored in the URL, so that back, reload and copied links keep the view. */
export function Tabs({ label, tabs, param = 'tab', className }: TabsProps) {
  const pathname = usePathname();
  const search = useSearchParams();
  const wanted = search.get(param);
  const current = tabs.find((tab) => tab.value === wanted) ?? tabs[0];
  const links = tabs.map((tab, index) => {
    const query = new URLSearchParams(search);
    for (const each of tab.drops ?? []) query.delete(each);
    if (index === 0) query.delete(param);
    else query.set(param, tab.value);
    const text = query.toString();
    const href = text ? `${pathname}?${text}` : pathname;
    return { href, label: tab.label, current: tab === current || undefined };
  });
  return <TabLinks label={label} tabs={links} scroll={false} className={className} />;
}
